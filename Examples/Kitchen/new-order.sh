#!/bin/sh
# Places an order: new-order.sh TABLE DISH...
set -eu
table=$1
shift
dishes=$(jq -nc '$ARGS.positional' --args -- "$@")
exec viewctl --daemon kitchend send orders place "{\"table\":$table,\"dishes\":$dishes}"
