import { UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { useTranslation } from 'react-i18next'
import { type Fuso, foreignZone, formatFull, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { Soft } from '../../../ui/page.tsx'
import { auditLink } from './audit-link.ts'
import { type CampoMudado, changedFields } from './audit-list.ts'
import { auditSentence, fieldName } from './audit-sentence.ts'
import classes from './auditoria.module.css'
import { fieldValue } from './field-value.ts'

interface AuditProps {
  readonly registro: RegistroAuditoria
}

/** Cells of one audit record: a sentence that opens the details, time, interface and Empresa. */
export function AuditCells({ registro, onOpen }: AuditProps & { readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const now = useNow()
  const { nome: empresa, fuso } = useEmpresa(registro.empresa_id)
  const { em, canal } = registro
  return (
    <>
      <th scope="row" className={classes.sentence}>
        <UnstyledButton className={classes.open} aria-haspopup="dialog" onClick={onOpen}>
          {auditSentence(t, registro)}
        </UnstyledButton>
      </th>
      <td>
        <time dateTime={em} title={formatFull(em, fuso)}>
          {[formatMoment(em, now, fuso), foreignZone(em, fuso)].filter(Boolean).join(' ')}
        </time>
      </td>
      <td>{t(`auditoria.canal.${canal}`)}</td>
      <td>{empresa}</td>
    </>
  )
}

/** The values before and after of one record, and its origin. */
export function AuditDetails({ registro, onClose }: AuditProps & { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { nome: empresa, fuso } = useEmpresa(registro.empresa_id)
  const link = auditLink(registro)
  return (
    <InfoDialog title={auditSentence(t, registro)} size="60rem" onClose={onClose}>
      <div className={classes.body}>
        {link !== null && (
          <p className={classes.link}>
            <Link to={link}>{t('auditoria.abrir', { nome: registro.objeto_nome ?? `${registro.objeto_id}` })}</Link>
          </p>
        )}
        <Changes registro={registro} fuso={fuso} />
        <Origin registro={registro} fuso={fuso} empresa={empresa} />
      </div>
    </InfoDialog>
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
