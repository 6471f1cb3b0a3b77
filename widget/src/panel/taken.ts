import type { Given } from './given.ts'

/** The argument of the function that the build puts around `answers.ts`. */
declare const given: Given

/** Stands in the file behind the panel for the modules that the panel has already: see `sharedWithPanel` in the build. */
export const {
  Component,
  Fragment,
  h,
  jsx,
  jsxs,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  CitationCardContext,
  copyText,
  useCountdown,
  sentenceOf,
  Handoff,
  Icon,
  IconButton,
  useStore,
  useSurroundings,
} = given
