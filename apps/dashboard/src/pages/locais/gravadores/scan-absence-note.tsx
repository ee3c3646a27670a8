import { useQuery } from '@tanstack/react-query'
import type { Edge } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { Soft } from '../../../ui/page.tsx'
import { scanAbsence } from './scan-absence.ts'

export interface ScanAbsenceNoteProps {
  /** Value of the field `empresa_id`. */
  readonly empresa: string
  /** undefined: not known yet. */
  readonly serving: readonly Edge[] | undefined
}

/** Says why the network cannot be scanned, and what to do; nothing if it can. */
export function ScanAbsenceNote({ empresa, serving }: ScanAbsenceNoteProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data: empresas } = useQuery(empresasQuery(api))
  if (!serving || !empresas) return null
  const usesLocal = empresas.some(({ id, usa_edge_local }) => String(id) === empresa && usa_edge_local)
  const absence = scanAbsence({ empresa, serving, usesLocal })
  return (
    absence && <Soft role="note">{t(`gravadores.varredura.ausente.${absence.motivo}`, { nome: absence.nome })}</Soft>
  )
}
