import type { ReactNode } from 'react'
import { Facts } from '../../../ui/facts.tsx'
import { Soft } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'

interface FactSectionProps {
  readonly title: string
  /** Sentence in place of the facts; null: there are some. */
  readonly empty?: string | null
  readonly children: ReactNode
}

/** A section of the page with named facts, or a sentence. */
export const FactSection = ({ title, empty = null, children }: FactSectionProps) => (
  <Section>
    <h2>{title}</h2>
    {empty === null ? <Facts>{children}</Facts> : <Soft>{empty}</Soft>}
  </Section>
)

interface FactProps {
  readonly name: string
  readonly alarm?: boolean
  readonly children: ReactNode
}

/** One fact; `alarm`: it needs attention. */
export const Fact = ({ name, alarm = false, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd data-alarm={alarm || undefined}>{children}</dd>
  </div>
)
