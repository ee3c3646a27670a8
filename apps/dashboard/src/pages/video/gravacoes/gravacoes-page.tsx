import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddressed } from '../../../base/tempo/use-addressed.ts'
import { useCamera, useMayWork } from '../../../domains/locais/cameras/use-camera.tsx'
import { gravacoesQuery } from '../../../domains/video/clipes/gravacoes-query.ts'
import { usePlayPart } from '../../../domains/video/clipes/use-play-part.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Failure } from '../../../ui/failure.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { Soft } from '../../../ui/page.tsx'
import { GravacaoForm, suggestedStart } from './gravacao-form.tsx'
import { GravacaoItem } from './gravacao-item.tsx'
import classes from './gravacoes.module.css'
import { Gravado } from './gravado.tsx'
import { type Parte, parteOf } from './span.ts'

/** Fetches parts of a camera's archive from its recorder, and lists those of the last days. */
export function GravacoesPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { id, empresa_id } = useCamera()
  const { fuso } = useEmpresa(empresa_id)
  const mayWork = useMayWork()
  const [parte, setParte] = useParte()
  const { assistir, posicao } = useSearch({ from: '/painel/cameras/$id/eventos/gravacoes' })
  const navigate = useNavigate({ from: '/cameras/$id/eventos/gravacoes' })
  const play = usePlayPart(id, (gravacao, { desde }) => {
    const playing = { assistir: gravacao.id, posicao: new Date(desde).toISOString() }
    void navigate({ search: (before) => ({ ...before, ...playing }), resetScroll: false })
  })
  const { data, error, refetch } = useQuery(gravacoesQuery(api, id))
  const bar = {
    parte: mayWork ? parte : null,
    onParte: setParte,
    prontas: data?.filter(({ arquivo_url }) => arquivo_url !== null) ?? [],
    onPlay: play.mutate,
  }
  return (
    <section className={classes.page} aria-labelledby="gravacoes">
      <h2 id="gravacoes">{t('gravacoes.titulo')}</h2>
      <Soft>{t('gravacoes.ajuda')}</Soft>
      {fuso !== null && <Gravado fuso={fuso} {...bar} />}
      {play.error && (
        <p className={classes.failure} role="alert">
          {formErrors(play.error, []).general}
        </p>
      )}
      {mayWork && fuso !== null && (
        <GravacaoForm key={`${parte.startMs} ${parte.minutos} ${fuso}`} parte={parte} fuso={fuso} />
      )}
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={120} radius="md" aria-busy="true" />}
      {data?.length === 0 && <p>{t('gravacoes.nenhuma')}</p>}
      {data && data.length > 0 && (
        <ul className={classes.list} aria-label={t('gravacoes.titulo')}>
          {data.map((gravacao) => {
            const atMs = gravacao.id === assistir ? Date.parse(posicao ?? gravacao.inicio) : null
            return <GravacaoItem key={`${gravacao.id} ${atMs}`} gravacao={gravacao} fuso={fuso} atMs={atMs} />
          })}
        </ul>
      )}
    </section>
  )
}

/** The part to fetch: that of the address, or a suggestion. A choice on the bar goes into the address. */
function useParte() {
  const { em, ate } = useSearch({ from: '/painel/cameras/$id/eventos/gravacoes' })
  const navigate = useNavigate({ from: '/cameras/$id/eventos/gravacoes' })
  const [suggested] = useState(suggestedStart)
  const addressed = useMemo(() => {
    const desde = em === undefined ? suggested : Date.parse(em)
    return parteOf({ desde, ate: em === undefined || ate === undefined ? desde : Date.parse(ate) })
  }, [em, ate, suggested])
  return useAddressed<Parte>(addressed, ({ startMs, minutos }) => {
    const iso = (ms: number) => new Date(ms).toISOString()
    const part = { em: iso(startMs), ate: iso(startMs + minutos * 60_000) }
    void navigate({ search: (before) => ({ ...before, ...part }), resetScroll: false })
  })
}
