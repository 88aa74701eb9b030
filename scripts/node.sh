#!/bin/sh
# Node with the settings of V8 that the service runs best with, for `npm start`, the image and the unit of systemd:
# docs/measurements/process.md says what each is for.
exec node --enable-source-maps --max-semi-space-size=64 --heap-growing-percent=400 --no-allocation-site-pretenuring "$@"
