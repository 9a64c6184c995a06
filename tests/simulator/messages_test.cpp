// Messages between a harness and the simulator (simulator/service/wire.h).
#include "simulator/cuda/wire.h"
#include "simulator/service/requests.h"
#include "tests/catch.h"

using namespace gputest;
using namespace gputest::ir;
using namespace gputest::simulator;
using gputest::tests::ContainsSubstring;

namespace {

// Returns what the other side has of the message, which is a text in between.
template <typename Message> Message sent(const Message& message) {
  return model::parse_json(model::Json(message).dump()).template get<Message>();
}

wire::Argument argument(wire::Kind kind) {
  wire::Argument made{.kind = kind, .name = "a", .offset = 4096, .size = 8};
  if (kind == wire::Kind::Image)
    made.image = {
        .type = 1, .width = 2, .height = 3, .depth = 4, .channel_order = 5, .channel_type = 6};
  if (kind == wire::Kind::Sampler)
    made.sampler = {.normalized = true, .addressing = 0x1131, .filter = 0x1140};
  if (kind == wire::Kind::Buffer) {
    made.null = made.output = true;
    made.access = wire::Access::WriteOnly;
  }
  return made;
}

// A launch whose every member differs from its default.
wire::Launch launch() {
  wire::Launch made{
      .program = 1,
      .kernel = "sum",
      .sizes = {.dimensions = 3, .global = {6, 5, 4}, .local = {3, 5, 2}, .offset = {7, 8, 9}},
      .memory = 8192,
      .arguments = {},
      .order = {.groups = {.kind = model::Order::Kind::Random, .seed = 17},
                .items = {.kind = model::Order::Kind::Listed, .listed = {2, 0, 1}}},
      .checks = {"races", "bounds"},
      .limit = 1.5,
      .shared_bytes = 64,
      .trial = true,
      .turns = {{{.group = 1, .item = 2, .accesses = 3}}}};
  for (const auto kind : {wire::Kind::Value, wire::Kind::Buffer, wire::Kind::Local,
                          wire::Kind::Image, wire::Kind::Sampler})
    made.arguments.push_back(argument(kind));
  return made;
}

model::Finding finding() {
  return {.kind = "race",
          .site = {"k.cl", 3, 5},
          .message = "work-items race",
          .other = {"k.cl", 4, 6},
          .count = 2,
          .cause = "c",
          .fatal = true};
}

} // namespace

TEST_CASE("A message that is read equals the one that was written") {
  const wire::Build build{.name = "k.cl",
                          .text = "kernel void k() {}",
                          .definitions = {"A=1"},
                          .include_directories = {"/include"},
                          .options = {"-w"},
                          .cl_std = "CL2.0",
                          .kernel = "k",
                          .language = "cuda",
                          .checks = {"races"}};
  CHECK(sent(build) == build);
  const wire::Built built{.program = 2, .parameters = {{"data", true, 8}, {"n", false, 4}}};
  CHECK(sent(built) == built);
  CHECK(sent(launch()) == launch());
  CHECK(sent(wire::Launch()) == wire::Launch());
  const wire::Launched launched{
      .seconds = 0.25, .output = "1\n", .findings = {finding()}, .fatal = true, .late = true};
  CHECK(sent(launched) == launched);
  const wire::Explore explore{launch(), {.interleavings = 10, .seconds = 2.5, .more = 3}};
  CHECK(sent(explore) == explore);
  const wire::Explored explored{.too_large = "more than 1024 work-items",
                                .end = wire::Explored::End::Seconds,
                                .stopped_at = "k.cl:3:5",
                                .interleavings = 4,
                                .outcomes = 2,
                                .schedules = {{}, {{.group = 0, .item = 1, .accesses = 2}}},
                                .dependences = {{finding(), 0, 1}},
                                .findings = {finding()},
                                .seconds = 1.5,
                                .fatal = true};
  CHECK(sent(explored) == explored);
  CHECK(model::Json(explored)["end"] == "seconds");
  const wire::Refusal refusal{.error = "source", .message = "k.cl:3:4: error: no"};
  CHECK(sent(refusal) == refusal);
}

TEST_CASE("The keys on the wire are those of the protocol") {
  CHECK(wire::request_of(wire::Explore{{.kernel = "k", .turns = {}}, {1, 2, 3}}).dump() ==
        R"({"program":0,"kernel":"k","global_size":[1],"local_size":[1],)"
        R"("global_offset":[0],"memory":0,"arguments":[],"checks":[],"limit":0.0,)"
        R"("shared_bytes":0,"trial":false,)"
        R"("bounds":{"interleavings":1,"seconds":2.0,"more":3},"do":"explore"})");
  CHECK(model::Json(launch())["order"].dump() ==
        R"({"groups":{"order":"random","seed":17},)"
        R"("items":{"order":"listed","permutation":[2,0,1]}})");
  const model::Json arguments = model::Json(launch())["arguments"];
  CHECK(arguments[1].dump() ==
        R"({"kind":"buffer","name":"a","offset":4096,"size":8,"null":true,"output":true,)"
        R"("access":"write_only"})");
  CHECK(arguments[4].dump() == R"({"kind":"sampler","name":"a","offset":4096,"size":8,)"
                               R"("normalized":true,"addressing":4401,"filter":4416})");
}

TEST_CASE("The simulator launches what the message says") {
  const LaunchRequest request = launch_request(sent(launch()));
  CHECK(request.sizes == launch().sizes);
  CHECK(request.order.groups.seed == 17);
  CHECK(request.local_fill == kUnwrittenByte);
  REQUIRE(request.arguments.size() == 5);
  CHECK(request.arguments[1].kind == Parameter::Kind::Buffer);
  CHECK(request.arguments[1].access == BufferAccess::WriteOnly);
  CHECK(request.arguments[3].image.channel_type == 6);
  CHECK(request.arguments[4].sampler == sampler_bits(true, 0x1131, 0x1140));
}

TEST_CASE("A message with a mistake is refused") {
  const auto with = [](const char* place, const model::Json& value) {
    model::Json json = launch();
    json[model::Json::json_pointer(place)] = value;
    return json;
  };
  const auto read = [](const model::Json& json) { return json.get<wire::Launch>(); };
  CHECK_THROWS_WITH(read(with("/arguments/0/kind", "pipe")), ContainsSubstring("'pipe'"));
  CHECK_THROWS_WITH(read(with("/arguments/3/width", "wide")), ContainsSubstring("'width'"));
  CHECK_THROWS_WITH(read(with("/arguments/0/size", -1)), ContainsSubstring("'size'"));
  CHECK_THROWS_WITH(read(with("/global_size", {1, 2})), ContainsSubstring("'local_size'"));
  CHECK_THROWS_WITH(read(with("/global_size", model::Json::array())),
                    ContainsSubstring("'global_size'"));
  CHECK_THROWS_WITH(read(with("/local_size/0", -1)), ContainsSubstring("'local_size'"));
  CHECK_THROWS_WITH(read(with("/turns", {1})), ContainsSubstring("'turns'"));
  CHECK_THROWS_AS(read(with("/order/items/permutation", {0, 0})), wire::OrderError);
  CHECK_THROWS_WITH(read(with("/order/groups/order", "sideways")),
                    ContainsSubstring("order of groups: order 'sideways' is none of"));
  CHECK_THROWS_WITH(model::Json(launch()).get<wire::Explore>(), ContainsSubstring("'bounds'"));
  CHECK_THROWS_WITH(read(model::Json::array()), ContainsSubstring("'program'"));
}

TEST_CASE("Numbers of a message are those that it may have, or the message is refused") {
  using cuda::MemoryChange, cuda::Reader, cuda::Request, cuda::Writer;
  const auto message = [](std::uint64_t number) {
    return Writer().number(number).text("12345678").message();
  };
  const auto request_of = [](const std::string& text) { return Reader(text).get<Request>(); };
  CHECK(request_of(message(0)) == Request::Load);
  CHECK(request_of(message(10)) == Request::FirstUnwritten);
  for (const std::uint64_t number : {std::uint64_t{11}, std::uint64_t{1} << 32, ~std::uint64_t{0}})
    CHECK_THROWS_AS(request_of(message(number)), std::runtime_error);

  const cuda::MemoryChanges changes{
      cuda::AllocatedMemory{16, 8, "name", cuda::DeviceMemoryKind::Managed}, cuda::FreedMemory{16},
      cuda::DefinedMemory{16, 4}, cuda::CopiedMemory{16, 4, 32},
      cuda::MappedMemory{4096, 8192, "/proc/1/fd/3", 4096}};
  const std::string all = Writer().put(changes).message();
  const auto heard = Reader(all).get<cuda::MemoryChanges>();
  CHECK(Writer().put(heard).message() == all);
  REQUIRE(heard.size() == 5);
  CHECK(std::get<cuda::CopiedMemory>(heard[3]).from == 32);
  CHECK(std::get<cuda::AllocatedMemory>(heard[0]).kind == cuda::DeviceMemoryKind::Managed);
  for (std::size_t size = 0; size < all.size(); ++size)
    CHECK_THROWS_AS(Reader(all.substr(0, size)).get<cuda::MemoryChanges>(), std::runtime_error);
  const std::string no_change = Writer().number(1).number(5).number(0).message();
  CHECK_THROWS_AS(Reader(no_change).get<cuda::MemoryChanges>(), std::runtime_error);
  const std::string no_kind =
      Writer().number(1).number(0).number(16).number(8).text("").number(3).message();
  CHECK_THROWS_AS(Reader(no_kind).get<cuda::MemoryChanges>(), std::runtime_error);
  const std::string no_code = Writer().number(~std::uint64_t{0}).number(0).number(0).message();
  CHECK_THROWS_AS(Reader(no_code).get<cuda::EndedFork>(), std::runtime_error);

  using cuda::AccessedRange, cuda::EndedLaunch, cuda::KernelLaunch;
  const KernelLaunch launch{.module = 1,
                            .kernel = "k",
                            .grid = {2, 3, 4},
                            .arguments = "12345678",
                            .checks = "races",
                            .may_wait = true,
                            .accesses = cuda::AccessesWanted::All};
  const std::string sent = Writer().put(launch).message();
  const auto received = Reader(sent).get<KernelLaunch>();
  CHECK(Writer().put(received).message() == sent);
  CHECK(received.grid == launch.grid);
  CHECK(received.arguments == launch.arguments);
  CHECK(received.accesses == launch.accesses);
  const auto with = [&](std::uint64_t number) { // AccessesWanted
    return sent.substr(0, sent.size() - 16) + Writer().number(number).number(0).message();
  };
  CHECK(Reader(with(0)).get<KernelLaunch>().accesses == cuda::AccessesWanted::None);
  CHECK_THROWS_AS(Reader(with(3)).get<KernelLaunch>(), std::runtime_error);
  for (std::size_t size = 0; size < sent.size(); ++size)
    CHECK_THROWS_AS(Reader(sent.substr(0, size)).get<KernelLaunch>(), std::runtime_error);

  EndedLaunch ended{.message = "m",
                    .findings = {{.kind = "data_race", .place = {"k.cu", 3, 5}, .count = 2}},
                    .places = {{"k.cu", 7, 1}},
                    .ranges = {{.begin = 16, .size = 4, .place = 0, .kind = cuda::kAtomicRead}}};
  const std::string told = Writer().put(ended).message();
  CHECK(Writer().put(Reader(told).get<EndedLaunch>()).message() == told);
  ended.ranges.front().kind = 4;
  const std::string no_access = Writer().put(ended).message();
  CHECK_THROWS_AS(Reader(no_access).get<EndedLaunch>(), std::runtime_error);
  ended.ranges.clear();
  ended.error = cuda::CudaError{10001};
  const std::string no_error = Writer().put(ended).message();
  CHECK_THROWS_AS(Reader(no_error).get<EndedLaunch>(), std::runtime_error);

  const auto count_of = [](const std::string& text) {
    return Reader(text).get<std::vector<std::uint64_t>>().size();
  };
  CHECK(count_of(message(0)) == 0);
  CHECK(count_of(message(2)) == 2); // the length of the text, and the text
  for (const std::uint64_t count : {std::uint64_t{3}, ~std::uint64_t{0}})
    CHECK_THROWS_AS(count_of(message(count)), std::runtime_error);
}
