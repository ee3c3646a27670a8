import { Skeleton } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { ownEmpresa } from '../../../session/own-empresa.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Failure } from '../../../ui/failure.tsx'
import { More } from '../../../ui/more.tsx'
import { Notice } from '../../../ui/notice.tsx'
import classes from './busca.module.css'
import { buscaQuery } from './busca-query.ts'
import { EventoResult, IncidenteResult } from './result-row.tsx'
import { timeFilter } from './understood.ts'
import { type Destination, UnderstoodChips } from './understood-chips.tsx'
import { useAtEnd } from './use-at-end.ts'

/** The results of the search in the URL. The list goes on by itself at its end. */
export function BuscaResults({ onChange }: { onChange: (to: Destination) => void }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { em, empresa, q, camera, ia, gravidade, veredito, por, ...more } = useSearch({ from: '/painel/busca' })
  const { de, ate, das, antes, certeza, nota, prova } = more
  // The chosen days are days in the time zone of the Empresa.
  const { fuso } = useEmpresa(empresa ?? ownEmpresa(me))
  const filtro = {
    alvo: em ?? 'incidentes',
    empresa_id: empresa,
    frase: q,
    camera_id: camera,
    tipo: ia,
    gravidade,
    veredito,
    atendido_por: por,
    certeza,
    nota: nota && (nota === 'com' ? 'true' : 'false'),
    prova: prova && (prova === 'so' ? 'true' : 'false'),
    ...timeFilter({ de, ate, das, antes }, fuso),
  } as const
  const query = useInfiniteQuery({ ...buscaQuery(api, filtro), placeholderData: keepPreviousData })
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isPlaceholderData } = query
  const canGoOn = hasNextPage && !isFetchingNextPage && error === null && !isPlaceholderData
  const end = useAtEnd(canGoOn, () => void fetchNextPage())
  const now = useNow()
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={320} radius="md" />

  const count = data.pages.reduce((sum, { itens }) => sum + itens.length, 0)
  const since = data.pages[0]?.indexado_desde ?? null
  const filters = [q, camera, ia, gravidade, veredito, por, de, ate, das, antes, certeza, nota, prova]
  const filtered = filters.some((value) => value !== undefined)
  const entendido = isPlaceholderData ? null : (data.pages[0]?.entendido ?? null)
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {q !== undefined && entendido && <UnderstoodChips frase={q} partes={entendido.partes} onChange={onChange} />}
      {since !== null && (
        <p className={classes.soft}>{t('busca.preparando', { quando: formatMoment(since, now, fuso) })}</p>
      )}
      {count === 0 && !hasNextPage ? (
        <Notice
          icon={<IconSearchOff size={32} />}
          title={t(filtered ? 'busca.vazio.filtroTitulo' : 'busca.vazio.titulo')}
          text={t(filtered ? 'busca.vazio.filtroTexto' : 'busca.vazio.texto')}
        />
      ) : (
        <ul className={classes.results} aria-label={t('busca.lista')} aria-busy={isPlaceholderData}>
          {data.pages.map((page) =>
            page.alvo === 'eventos'
              ? page.itens.map((evento) => <EventoResult key={evento.id} evento={evento} />)
              : page.itens.map((incidente) => <IncidenteResult key={incidente.id} incidente={incidente} />),
          )}
        </ul>
      )}
      <div ref={end} className={classes.end} role="status">
        {isFetchingNextPage ? t('busca.procurando') : count > 0 && !hasNextPage ? t('busca.fim') : null}
      </div>
      {hasNextPage && (
        <More
          label={t('busca.mais')}
          loading={isFetchingNextPage}
          error={query.isFetchNextPageError ? error : null}
          onMore={() => void fetchNextPage()}
        />
      )}
    </>
  )
}
