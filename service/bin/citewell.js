#!/usr/bin/env -S node --conditions=citewell-source
import '../src/app/main.ts'
