import { useQuery } from '@tanstack/react-query'
import type { FilaVerificacao } from '@vigia/contracts/pendencias'
import { useTranslation } from 'react-i18next'
import { filaVerificacaoQuery } from '../../../api/queries.ts'
import { formatDuration } from '../../../base/tempo/format-time.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { RecordList, RecordRow } from '../../../ui/record.tsx'
import classes from './pendencias.module.css'

/** Number of events without a verdict per Empresa, and the age of the oldest. */
export function WaitingEventos({ empresa }: { empresa: number | null }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data } = useQuery(filaVerificacaoQuery(api, empresa))
  if (!data) return null
  return (
    <section className={classes.waiting} aria-labelledby="fila">
      <h2 id="fila">{t('pendencias.fila.titulo')}</h2>
      {data.length === 0 ? (
        <p>{t('pendencias.fila.nenhum')}</p>
      ) : (
        <RecordList>
          {data.map((fila) => (
            <Waiting key={fila.empresa_id} fila={fila} />
          ))}
        </RecordList>
      )}
    </section>
  )
}

function Waiting({ fila }: { fila: FilaVerificacao }) {
  const { t } = useTranslation()
  const { nome } = useEmpresa(fila.empresa_id)
  return (
    <RecordRow data-open={fila.atrasada || undefined}>
      {t('pendencias.fila.espera', {
        empresa: nome ?? fila.empresa_id,
        eventos: t('pendencias.fila.eventos', { count: fila.esperando }),
        tempo: formatDuration(fila.espera_s * 1000),
      })}
    </RecordRow>
  )
}
