# Returns when the file is gone.
while [ -e "$1" ]; do
  sleep 0.1
done
