import { Button, NativeSelect, Skeleton } from '@mantine/core'
import { IconLock, IconMailOff } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router'
import { tipoMensagemFim, tiposMensagemAviso } from '@vigia/contracts/mensagens'
import { type Entrega, type EstadoEntrega, estadosEntrega, reenvioSchema } from '@vigia/contracts/notificacoes'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { canalQuery, entregasQuery } from '../../../api/canais-queries.ts'
import { type Fuso, formatFull, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Wrapped } from '../../../ui/layout.tsx'
import { More } from '../../../ui/more.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageActions, PageHead } from '../../../ui/page.tsx'
import {
  RecordKind,
  RecordList,
  RecordName,
  RecordOpen,
  RecordReason,
  RecordRow,
  RecordSoft,
  RecordWhen,
} from '../../../ui/record.tsx'
import { CanalFacts } from './canal-facts.tsx'
import { nameOfCanal } from './canal-name.ts'

/** Deliveries of one canal, for administrators. */
export function EntregasPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { id } = useParams({ from: '/painel/canais/$id' })
  const { data, error, refetch } = useQuery(canalQuery(api, Number(id)))
  const nome = data ? nameOfCanal(t, data) : ''
  usePageTitle(t('canais.entregas.titulo', { nome }))
  const { fuso } = useEmpresa(data?.empresa_id ?? null)
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('canais.so')} />
  if (error && !data)
    return (
      <>
        <Wrapped as="h1">{t('canais.entregas.titulo', { nome: t('canais.semNome', { id }) })}</Wrapped>
        <Failure error={error} onRetry={() => void refetch()} />
      </>
    )
  return (
    <>
      <PageHead>
        <Wrapped as="h1">{t('canais.entregas.titulo', { nome })}</Wrapped>
        <PageActions>
          <Button variant="default" component={Link} to="/canais">
            {t('canais.entregas.voltar')}
          </Button>
          <ResendAll canal={Number(id)} count={data?.entregas.desistidas ?? 0} />
          <StateFilter />
        </PageActions>
      </PageHead>
      {data && <CanalFacts canal={data} />}
      <Entregas canal={Number(id)} fuso={fuso} />
    </>
  )
}

/** Sends the abandoned deliveries of a canal again. */
function ResendAll({ canal, count }: { readonly canal: number; readonly count: number }) {
  const { t } = useTranslation()
  const resend = useResend(canal)
  if (count === 0 && !resend.error) return null
  return (
    <>
      <Button loading={resend.isPending} onClick={() => resend.mutate(null)}>
        {t('canais.entregas.reenviarTodas', { count })}
      </Button>
      {resend.error && <RecordOpen role="alert">{resend.error.message}</RecordOpen>}
    </>
  )
}

/** Sends one abandoned delivery (null: all of the canal) again. */
function useResend(canal: number) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  return useMutation({
    mutationFn: (id: number | null) =>
      api.send(
        'POST',
        `/notificacoes/${canal}/entregas/${id === null ? '' : `${id}/`}reenviar`,
        undefined,
        reenvioSchema,
      ),
    onSuccess({ reenviadas }) {
      announce(t('canais.anuncio.reenviadas', { count: reenviadas }))
      void queries.invalidateQueries({ queryKey: ['canais'] })
    },
  })
}

/** The state in the address; undefined: all. */
function useEstado(): EstadoEntrega | undefined {
  const { estado } = useSearch({ from: '/painel/canais/$id' })
  return estadosEntrega.find((one) => one === estado)
}

function StateFilter() {
  const { t } = useTranslation()
  const navigate = useNavigate({ from: '/canais/$id' })
  const estado = useEstado()
  return (
    <NativeSelect
      aria-label={t('canais.entregas.estado')}
      value={estado ?? ''}
      onChange={(event) => {
        const chosen = estadosEntrega.find((one) => one === event.currentTarget.value)
        void navigate({ search: { estado: chosen } })
      }}
      data={[
        { value: '', label: t('canais.entregas.todas') },
        ...estadosEntrega.map((value) => ({ value, label: t(`canais.estado.${value}`) })),
      ]}
    />
  )
}

function Entregas({ canal, fuso }: { readonly canal: number; readonly fuso: Fuso }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const estado = useEstado()
  const query = useInfiniteQuery({ ...entregasQuery(api, canal, estado ?? null), placeholderData: keepPreviousData })
  const { data, error, refetch, fetchNextPage } = query
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} radius="md" />
  const entregas = [...new Map(data.pages.flat().map((one) => [one.id, one])).values()]
  if (entregas.length === 0)
    return (
      <Notice
        icon={<IconMailOff size={32} />}
        title={t('canais.entregas.vazio')}
        text={t('canais.entregas.vazioTexto')}
      />
    )
  return (
    <>
      <RecordList aria-label={t('canais.entregas.lista')} aria-busy={query.isPlaceholderData}>
        {entregas.map((entrega) => (
          <EntregaItem key={entrega.id} canal={canal} entrega={entrega} fuso={fuso} />
        ))}
      </RecordList>
      {query.hasNextPage && (
        <More
          label={t('canais.entregas.verMais')}
          loading={query.isFetchingNextPage}
          error={query.isFetchNextPageError ? error : null}
          onMore={() => void fetchNextPage()}
        />
      )}
    </>
  )
}

interface EntregaItemProps {
  readonly canal: number
  readonly entrega: Entrega
  readonly fuso: Fuso
}

function EntregaItem({ canal, entrega, fuso }: EntregaItemProps) {
  const { t } = useTranslation()
  const now = useNow()
  const resend = useResend(canal)
  const { estado, destino, criada_em, terminada_em, erro } = entrega
  const State = estado === 'desistida' ? RecordOpen : RecordSoft
  return (
    <RecordRow data-open={estado === 'desistida' || undefined}>
      <RecordName>
        <bdi>{subjectOf(t, entrega)}</bdi>
        <RecordKind translate="no">{destino}</RecordKind>
      </RecordName>
      <State>{t(`canais.estado.${estadoShown(entrega)}`)}</State>
      <RecordWhen>
        <time dateTime={criada_em} title={formatFull(criada_em, fuso)}>
          {formatMoment(criada_em, now, fuso)}
        </time>
        {estado === 'entregue' && terminada_em !== null && (
          <> · {t('canais.entregas.entregue', { quando: formatMoment(terminada_em, now, fuso) })}</>
        )}
      </RecordWhen>
      {entrega.resumo_id !== null && <RecordSoft>{t('canais.entregas.emResumo')}</RecordSoft>}
      {erro !== null && <RecordReason>{erro}</RecordReason>}
      {estado === 'desistida' && (
        <p>
          <Button variant="default" size="xs" loading={resend.isPending} onClick={() => resend.mutate(entrega.id)}>
            {t('canais.entregas.reenviar')}
          </Button>
        </p>
      )}
      {resend.error && <RecordOpen role="alert">{resend.error.message}</RecordOpen>}
    </RecordRow>
  )
}

const estadoShown = ({ estado, erro }: Entrega): EstadoEntrega | 'tentando' =>
  estado === 'pendente' && erro !== null ? 'tentando' : estado

/** `Invasão · Portão`, `Caixa Loja fora do ar`. */
function subjectOf(t: TFunction<'pagina'>, { tipo, evento, incidentes, camera_nome, edge_nome }: Entrega): string {
  if (incidentes !== null) return t('canais.assunto.resumo', { count: incidentes })
  if (evento) {
    const what = textsOfIa(evento.tipo).titulo
    return [tipo === tipoMensagemFim ? t('canais.assunto.fim', { nome: what }) : what, camera_nome]
      .filter(Boolean)
      .join(' · ')
  }
  const aviso = tiposMensagemAviso.find((each) => each === tipo)
  if (aviso) return t(`canais.assunto.aviso.${aviso}`)
  const [what, change] = tipo.split('.') as ['edge' | 'camera', 'offline' | 'online']
  return t(`canais.assunto.${what}.${change}`, { nome: (what === 'edge' ? edge_nome : camera_nome) ?? '' })
}
