import { Button, NativeSelect } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { gravidades } from '@vigia/contracts/ias'
import { testeCanalSchema } from '@vigia/contracts/notificacoes'
import { type InscricaoPush, inscricaoPushSchema } from '@vigia/contracts/push'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Api } from '../../../api/client.ts'
import { formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { unsubscribeBrowser } from '../../../domains/mensagens/avisos/leave-with-push.ts'
import { ownInscricaoId, pushFacts, subscribeBrowser } from '../../../domains/mensagens/avisos/push-browser.ts'
import { type PushState, pushState } from '../../../domains/mensagens/avisos/push-state.ts'
import { type Services, useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { CardAlarm, CardFacts } from '../../../ui/card.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { browserName } from './browser-name.ts'
import classes from './conta.module.css'

const inscricoesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['inscricoes'],
    queryFn: ({ signal }) => api.get('/me/inscricoes', inscricaoPushSchema.array(), signal),
  })

/** Alerts of this login on this device, and a list of the other devices. */
export function OwnPush() {
  const { t } = useTranslation()
  const { api, settings } = useServices()
  const { data, error, refetch } = useQuery(inscricoesQuery(api))
  const own = data?.find(({ id }) => id === ownInscricaoId(settings)) ?? null
  const { data: state } = useQuery({
    queryKey: ['inscricoes', 'estado', own?.id ?? null],
    queryFn: async () => pushState(await pushFacts(own !== null)),
    enabled: data !== undefined,
  })
  const others = data?.filter(({ id }) => id !== own?.id) ?? []
  return (
    <section className={classes.factor} aria-labelledby="avisos">
      <h2 id="avisos">
        {t('avisos.titulo')}
        {state && (
          <Badge data-on={state === 'ligado' || undefined}>
            {t(state === 'ligado' ? 'avisos.ligado' : 'avisos.desligado')}
          </Badge>
        )}
      </h2>
      <p>{t('avisos.texto')}</p>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {state && <ThisDevice state={state} own={own} />}
      {others.length > 0 && (
        <ul className={classes.sessions} aria-label={t('avisos.outros')}>
          {others.map((inscricao) => (
            <li key={inscricao.id}>
              <Device inscricao={inscricao} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Runs a change of the subscriptions and reads them again. */
function useChange<T>(change: (services: Services, value: T) => Promise<string | null>) {
  const services = useServices()
  const announce = useAnnounce()
  return useMutation({
    mutationFn: (value: T) => change(services, value),
    onSuccess: (sentence) => (sentence === null ? undefined : announce(sentence)),
    onSettled: () => services.queries.invalidateQueries({ queryKey: ['inscricoes'] }),
  })
}

function ThisDevice({ state, own }: { readonly state: PushState; readonly own: InscricaoPush | null }) {
  const { t } = useTranslation()
  const [nivel, setNivel] = useState<InscricaoPush['gravidade_min']>(own?.gravidade_min ?? 'alta')
  const turnOn = useChange(async (services, gravidade_min: InscricaoPush['gravidade_min']) => {
    const made = await subscribeBrowser(services, {
      gravidade_min,
      nome: (browserName(navigator.userAgent) ?? '').slice(0, 80),
    })
    return made && t('avisos.anuncio.ligado')
  })
  const turnOff = useChange(async ({ api, settings }) => {
    if (own) await api.remove(`/me/inscricoes/${own.id}`)
    await unsubscribeBrowser(settings)
    return t('avisos.anuncio.desligado')
  })
  const test = useChange(async ({ api }) => {
    const { ok, erros } = await api.send('POST', `/me/inscricoes/${own?.id}/teste`, {}, testeCanalSchema)
    if (!ok) throw new Error(erros.join(' '))
    return t('avisos.anuncio.testado')
  })
  if (state !== 'ligado' && state !== 'desligado') return <Problem>{t(`avisos.problema.${state}`)}</Problem>
  const failure = turnOn.error ?? turnOff.error ?? test.error
  return (
    <>
      <NativeSelect
        label={t('avisos.nivel')}
        value={nivel}
        onChange={(event) => {
          const chosen = gravidades.find((one) => one === event.currentTarget.value) ?? 'alta'
          setNivel(chosen)
          if (state === 'ligado') turnOn.mutate(chosen)
        }}
        data={gravidades.map((value) => ({ value, label: t(`avisos.niveis.${value}`) }))}
      />
      <Row gap={6}>
        {state === 'ligado' ? (
          <>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
              {t('avisos.testar')}
            </Button>
            <Button variant="subtle" color="gray" loading={turnOff.isPending} onClick={() => turnOff.mutate(undefined)}>
              {t('avisos.desligar')}
            </Button>
          </>
        ) : (
          <Button variant="default" loading={turnOn.isPending} onClick={() => turnOn.mutate(nivel)}>
            {t('avisos.ligar')}
          </Button>
        )}
      </Row>
      {own?.erro && !failure && <Problem>{own.erro}</Problem>}
      {failure && (
        <Problem>{failure instanceof DOMException ? t('avisos.problema.recusado') : failure.message}</Problem>
      )}
    </>
  )
}

const Problem = ({ children }: { readonly children: ReactNode }) => <CardAlarm role="alert">{children}</CardAlarm>

function Device({ inscricao }: { readonly inscricao: InscricaoPush }) {
  const { t } = useTranslation()
  const now = useNow()
  const { id, nome, gravidade_min, entregue_em, erro } = inscricao
  const removing = useChange(async ({ api }) => {
    await api.remove(`/me/inscricoes/${id}`)
    return t('avisos.anuncio.retirado')
  })
  const problem = removing.error?.message ?? erro
  return (
    <>
      <div>
        <p>
          <bdi>{nome}</bdi>
        </p>
        <CardFacts>
          {t(`avisos.niveis.${gravidade_min}`)}
          {entregue_em !== null && ` · ${t('avisos.entregue', { quando: formatWhen(entregue_em, now, null) })}`}
        </CardFacts>
        {problem && <Problem>{problem}</Problem>}
      </div>
      <Button
        variant="subtle"
        color="gray"
        size="sm"
        loading={removing.isPending}
        aria-label={t('avisos.retirarRotulo', { nome })}
        onClick={() => removing.mutate(undefined)}
      >
        {t('avisos.retirar')}
      </Button>
    </>
  )
}
