import { Component, Fragment, h } from 'preact'
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { jsx, jsxs } from 'preact/jsx-runtime'
import { CitationCardContext } from './citation-card-room.ts'
import { copyText } from './copy-text.ts'
import { useCountdown } from './countdown.ts'
import { sentenceOf } from './failure.ts'
import { Handoff } from './handoff.tsx'
import { Icon, IconButton } from './icons.tsx'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'

/** What the panel has and the file behind it uses: there is one Preact, and one of each context. */
export const given = {
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
}

export type Given = typeof given
