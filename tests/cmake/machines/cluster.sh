#!/bin/sh
# cluster.sh FOLDER COMMAND…: runs the command while a Slurm of two nodes, n1 and n2, is up on this
# machine. Everything of it is in FOLDER.
folder=$1
shift
PATH=$PATH:/usr/sbin:/sbin
rm -rf "$folder"
mkdir -p "$folder/controller" "$folder/n1" "$folder/n2" "$folder/munge"
chmod 700 "$folder/munge"
host=$(hostname -s)
port=$((20000 + $$ % 20000))
user=$(id -un)
key=$folder/munge/key
dd if=/dev/urandom of="$key" bs=1024 count=1 2>/dev/null
chmod 400 "$key"
cat >"$folder/slurm.conf" <<END
ClusterName=gputest
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
SlurmUser=$user
SlurmdUser=$user
StateSaveLocation=$folder/controller
SlurmdSpoolDir=$folder/%n
SlurmctldPidFile=$folder/controller.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/controller.log
SlurmdLogFile=$folder/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES State=UP
END
SLURM_CONF=$folder/slurm.conf
export SLURM_CONF
stop() {
  for file in "$folder"/n1.pid "$folder"/n2.pid "$folder"/controller.pid "$folder"/munge/pid; do
    test -s "$file" || continue
    pid=$(cat "$file")
    kill "$pid" 2>/dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10; do # so that nothing writes there any more
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.2
    done
  done
}
trap stop EXIT
trap 'exit 1' INT TERM
munged --force --socket="$folder/munge/socket" --key-file="$key" --log-file="$folder/munge/log" \
  --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" 2>/dev/null || exit 1
slurmctld -c -f "$SLURM_CONF" && slurmd -N n1 -f "$SLURM_CONF" && slurmd -N n2 -f "$SLURM_CONF" || exit 1
for _ in 1 2 3 4 5 6 7 8 9 10; do
  test "$(sinfo --noheader --format=%T 2>/dev/null | sort -u)" = idle && break
  sleep 1
done
sinfo
"$@"
