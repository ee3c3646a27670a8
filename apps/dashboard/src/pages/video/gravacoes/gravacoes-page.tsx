import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCamera, useMayWork } from '../../../domains/locais/cameras/use-camera.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Soft } from '../../../ui/page.tsx'
import { GravacaoForm, suggestedStart } from './gravacao-form.tsx'
import { GravacaoItem } from './gravacao-item.tsx'
import classes from './gravacoes.module.css'
import { gravacoesQuery } from './gravacoes-query.ts'
import { Gravado } from './gravado.tsx'

/** Fetches parts of a camera's archive from its recorder, and lists those of the last days. */
export function GravacoesPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { id, empresa_id } = useCamera()
  const { em } = useSearch({ from: '/painel/cameras/$id/eventos/gravacoes' })
  const { fuso } = useEmpresa(empresa_id)
  const mayWork = useMayWork()
  /** Chosen on the bar; null: the suggestion of the form. */
  const [chosenMs, setChosenMs] = useState<number | null>(null)
  const suggestedMs = em === undefined ? suggestedStart() : Date.parse(em)
  const startMs = chosenMs ?? suggestedMs
  const { data, error, refetch } = useQuery(gravacoesQuery(api, id))
  return (
    <section className={classes.page} aria-labelledby="gravacoes">
      <h2 id="gravacoes">{t('gravacoes.titulo')}</h2>
      <Soft>{t('gravacoes.ajuda')}</Soft>
      {fuso !== null && <Gravado fuso={fuso} startMs={mayWork ? startMs : null} onStart={setChosenMs} />}
      {mayWork && fuso !== null && <GravacaoForm key={`${em} ${chosenMs} ${fuso}`} startMs={startMs} fuso={fuso} />}
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={120} radius="md" aria-busy="true" />}
      {data?.length === 0 && <p>{t('gravacoes.nenhuma')}</p>}
      {data && data.length > 0 && (
        <ul className={classes.list} aria-label={t('gravacoes.titulo')}>
          {data.map((gravacao) => (
            <GravacaoItem key={gravacao.id} gravacao={gravacao} fuso={fuso} />
          ))}
        </ul>
      )}
    </section>
  )
}
