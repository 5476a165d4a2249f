#!/bin/sh
# Takes out of a production node_modules what no program reads: types, source maps, documentation, and the parts of packages that
# this program does not serve. `npm run test:long -- imagem` starts what is left.
set -eu
cd "${1:-node_modules}"
# valibot asks for it, for types alone.
rm -rf typescript @typescript
# Of the panel's style sheets one file is served, and of its icons the sprite; see src/surfaces/panel/ativos/ativos.ts.
rm -rf @tabler/icons
find @tabler/core -type f ! -path '@tabler/core/package.json' ! -path '@tabler/core/dist/css/tabler.min.css' -delete
find swagger-ui-dist -type f ! -name package.json ! -name swagger-ui.css ! -name swagger-ui-bundle.js ! -name favicon-32x32.png \
  ! -name LICENSE ! -name NOTICE -delete
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.tsbuildinfo' \
  -o -name '*.md' -o -name '*.markdown' -o -name '*.flow' \) -delete
find . -depth -type d -empty -delete
