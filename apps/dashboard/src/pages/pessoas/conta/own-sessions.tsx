import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Sessao } from '@vigia/contracts/sessoes'
import { useTranslation } from 'react-i18next'
import { sessoesQuery } from '../../../api/people-queries.ts'
import { formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { CardAlarm, CardFacts } from '../../../ui/card.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { browserName } from './browser-name.ts'
import classes from './conta.module.css'

/** Sessions of the own login, each with a button that ends it. */
export function OwnSessions() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data, error, refetch } = useQuery(sessoesQuery(api))
  return (
    <section className={classes.factor} aria-labelledby="sessoes">
      <h2 id="sessoes">{t('sessoes.titulo')}</h2>
      <p>{t('sessoes.texto')}</p>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      <ul className={classes.sessions} aria-label={t('sessoes.titulo')}>
        {data?.map((sessao) => (
          <li key={sessao.id}>
            <Session sessao={sessao} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Session({ sessao }: { readonly sessao: Sessao }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const now = useNow()
  const nome = browserName(sessao.agente) ?? t('sessoes.programa')
  const ending = useMutation({
    mutationFn: () => api.remove(`/me/sessoes/${sessao.id}`),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['sessoes'] })
      announce(t('sessoes.encerrada'))
    },
  })
  return (
    <>
      <div>
        <p>
          <bdi>{nome}</bdi>
          {sessao.atual && <Badge className={classes.current}>{t('sessoes.esta')}</Badge>}
        </p>
        <CardFacts>
          {t('sessoes.usada', { quando: formatWhen(sessao.visto_em, now, null) })}
          {' · '}
          {t('sessoes.desde', { quando: formatWhen(sessao.iniciada_em, now, null) })}
          {sessao.endereco !== null && ` · ${sessao.endereco}`}
        </CardFacts>
        {ending.error && <CardAlarm role="alert">{ending.error.message}</CardAlarm>}
      </div>
      {!sessao.atual && (
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          loading={ending.isPending}
          aria-label={t('sessoes.encerrarRotulo', { nome })}
          onClick={() => ending.mutate()}
        >
          {t('sessoes.encerrar')}
        </Button>
      )}
    </>
  )
}
