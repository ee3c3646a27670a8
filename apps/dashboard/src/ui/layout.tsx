import { createElement, type HTMLAttributes } from 'react'
import classes from './layout.module.css'
import { styled } from './styled.ts'

/** Distance between the children, in tenths of a rem. */
const gaps = {
  4: classes.gap4,
  5: classes.gap5,
  6: classes.gap6,
  7: classes.gap7,
  9: classes.gap9,
  10: classes.gap10,
  11: classes.gap11,
} as const

interface SpacedProps extends HTMLAttributes<HTMLElement> {
  readonly gap: keyof typeof gaps
  readonly as?: 'article' | 'ul'
}

const spaced =
  (name: string | undefined) =>
  ({ gap, as, className, ...props }: SpacedProps) =>
    createElement(as ?? 'div', { ...props, className: [name, gaps[gap], className].filter(Boolean).join(' ') })

/** Children one below the other. */
export const Column = spaced(classes.column)

/** Children beside one another, in as many lines as they need. */
export const Row = spaced(classes.row)

/** Buttons and texts beside one another, each in the middle of its line. */
export const CentredRow = styled('div', classes.centred)

/** Heading of a part. */
export const Heading = styled('h2', classes.heading)

/** Text that breaks anywhere, because it is a name or an address. */
export const Wrapped = styled('div', classes.wrapped)
