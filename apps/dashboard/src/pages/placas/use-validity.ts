import type { PlacaListada } from '@vigia/contracts/placas'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../base/tempo/format-time.ts'
import { useNow } from '../../base/tempo/use-now.ts'
import { useEmpresa } from '../../session/use-empresa.ts'

/** The end of a listed plate as a person reads it. */
export function useValidity({ validade, vencida, empresa_id }: PlacaListada): string {
  const { t } = useTranslation()
  const now = useNow()
  const { fuso } = useEmpresa(empresa_id)
  if (validade === null) return t('placas.listas.semFim')
  return t(vencida ? 'placas.listas.vencida' : 'placas.listas.ate', { data: formatDay(validade, now, fuso) })
}
