import { Alert, Button } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type Decisao, type EventoDetalhe, eventoDetalheSchema } from '@vigia/contracts/eventos'
import { useTranslation } from 'react-i18next'
import { eventoQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import classes from './alerta-detail.module.css'

const labels = [
  { rotulo: 'confirmado', Icon: IconCheck },
  { rotulo: 'refutado', Icon: IconX },
] as const

/**
 * Buttons with which an administrator labels an alert as true or false. The verdict does not change; the label trains
 * the next model.
 */
export function ReviewButtons({ evento }: { evento: EventoDetalhe }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { me } = useRouteContext({ from: '/painel' })
  const review = useMutation({
    mutationFn: (rotulo_humano: Decisao) =>
      api.send('POST', `/events/${evento.id}/revisao`, { rotulo_humano, revisor: me.username }, eventoDetalheSchema),
    onSuccess(reviewed) {
      queries.setQueryData(eventoQuery(api, evento.id).queryKey, reviewed)
      announce(t('alertas.revisao.anuncio'))
    },
  })
  const chosen = evento.revisao?.rotulo_humano
  return (
    <fieldset className={classes.review}>
      <legend>{t('alertas.revisao.pergunta')}</legend>
      <div>
        {labels.map(({ rotulo, Icon }) => (
          <Button
            key={rotulo}
            size="compact-md"
            variant={chosen === rotulo ? 'light' : 'default'}
            aria-pressed={chosen === rotulo}
            leftSection={<Icon size={16} aria-hidden="true" />}
            loading={review.isPending && review.variables === rotulo}
            disabled={review.isPending && review.variables !== rotulo}
            onClick={() => review.mutate(rotulo)}
          >
            {t(`alertas.revisao.${rotulo}`)}
          </Button>
        ))}
      </div>
      {review.error && (
        <Alert color="red" variant="light" role="alert">
          {formErrors(review.error, []).general}
        </Alert>
      )}
    </fieldset>
  )
}
