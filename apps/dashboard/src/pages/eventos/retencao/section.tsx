import type { ReactNode } from 'react'
import edgeCard from '../../locais/edges/edge-card.module.css'
import auditoria from '../../pessoas/auditoria/auditoria.module.css'
import relatorio from '../relatorios/relatorios.module.css'

interface SectionProps {
  readonly title: string
  /** Sentence in place of the facts; null: there are some. */
  readonly empty?: string | null
  readonly children: ReactNode
}

/** A section of the page with named facts, or a sentence. */
export const Section = ({ title, empty = null, children }: SectionProps) => (
  <section className={relatorio.section}>
    <h2>{title}</h2>
    {empty === null ? <dl className={edgeCard.facts}>{children}</dl> : <p className={auditoria.soft}>{empty}</p>}
  </section>
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
