import { IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Fuso, foreignZone, formatFull, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { FoldHead } from '../../../ui/fold.tsx'
import { Soft } from '../../../ui/page.tsx'
import { auditLink } from './audit-link.ts'
import { type CampoMudado, changedFields } from './audit-list.ts'
import { auditSentence, fieldName } from './audit-sentence.ts'
import classes from './auditoria.module.css'
import { fieldValue } from './field-value.ts'

/** One audit record: a sentence that expands to the values before and after, and its origin. */
export function AuditEntry({ registro }: { registro: RegistroAuditoria }) {
  const { t } = useTranslation()
  const now = useNow()
  const { nome: empresa, fuso } = useEmpresa(registro.empresa_id)
  const [open, setOpen] = useState(false)
  const { em, canal } = registro
  const link = auditLink(registro)
  return (
    <li className={classes.entry}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <FoldHead className={classes.summary}>
          <IconChevronDown size={18} className={classes.chevron} aria-hidden="true" />
          <span className={classes.sentence}>{auditSentence(t, registro)}</span>
          <span className={classes.facts}>
            <time dateTime={em} title={formatFull(em, fuso)}>
              {[formatMoment(em, now, fuso), foreignZone(em, fuso)].filter(Boolean).join(' ')}
            </time>
            {' · '}
            {[t(`auditoria.canal.${canal}`), empresa].filter(Boolean).join(' · ')}
          </span>
        </FoldHead>
        {open && (
          <div className={classes.body}>
            {link !== null && (
              <p className={classes.link}>
                <Link to={link}>{t('auditoria.abrir', { nome: registro.objeto_nome ?? `${registro.objeto_id}` })}</Link>
              </p>
            )}
            <Changes registro={registro} fuso={fuso} />
            <Origin registro={registro} fuso={fuso} empresa={empresa} />
          </div>
        )}
      </details>
    </li>
  )
}

function Changes({ registro: { antes, depois }, fuso }: { registro: RegistroAuditoria; fuso: Fuso }) {
  const { t } = useTranslation()
  const fields = changedFields(antes, depois)
  if (fields.length === 0) return <Soft>{t('auditoria.semCampos')}</Soft>
  return (
    <ul className={classes.changes}>
      {fields.map((field) => (
        <li key={field.caminho.join('.')}>
          <p className={classes.field}>{field.caminho.map((name) => fieldName(t, name)).join(' › ')}</p>
          <dl className={classes.pair}>
            {antes && <Side side="antes" field={field} fuso={fuso} />}
            {depois && <Side side="depois" field={field} fuso={fuso} />}
          </dl>
        </li>
      ))}
    </ul>
  )
}

function Side({ side, field, fuso }: { side: 'antes' | 'depois'; field: CampoMudado; fuso: Fuso }) {
  const { t } = useTranslation()
  const empty = field[side] === null
  return (
    <div className={classes.side} data-side={side}>
      <dt>{t(`auditoria.${side}`)}</dt>
      <dd data-empty={empty || undefined}>{fieldValue(t, field[side], fuso)}</dd>
    </div>
  )
}

interface OriginProps {
  readonly registro: RegistroAuditoria
  readonly fuso: Fuso
  readonly empresa: string | null
}

function Origin({ registro: { em, canal, cliente, endereco, pedido }, fuso, empresa }: OriginProps) {
  const { t } = useTranslation()
  const facts = [
    [t('auditoria.quando'), formatFull(em, fuso)],
    [t('auditoria.porOnde'), t(`auditoria.canal.${canal}`)],
    [t(canal === 'chave' ? 'auditoria.chave' : 'auditoria.agente'), cliente],
    [t('auditoria.empresa'), empresa],
    [t('auditoria.endereco'), endereco],
    [t('auditoria.pedido'), pedido],
  ] as const
  return (
    <dl className={classes.origin}>
      {facts.map(
        ([label, value]) =>
          value !== null && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
