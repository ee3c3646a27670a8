import { Alert, NativeSelect } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Perdas, type Transporte, transporteCameraSchema, transporteSchema } from '@vigia/contracts/transporte'
import { useTranslation } from 'react-i18next'
import { useCamera, useMayWrite } from '../../../domains/locais/cameras/use-camera.tsx'
import { useServices } from '../../../session/services.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import classes from './camera.module.css'
import { transporteQuery } from './camera-queries.ts'

/** Share of the lost packets in percent, with more digits below one. */
function lossesOf({ perdidos, esperados, jitter_ms }: Perdas) {
  const percent = esperados === 0 ? 0 : (100 * perdidos) / esperados
  return {
    perdidos: formatNumber(perdidos),
    esperados: formatNumber(esperados),
    parte: formatNumber(percent, { maximumFractionDigits: percent < 1 ? 2 : 1 }),
    jitter: formatNumber(jitter_ms, { maximumFractionDigits: 1 }),
  }
}

/** How the video of the camera travels to the edge: the choice, and what the edge uses now. */
export function TransporteDoVideo() {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const camera = useCamera()
  const mayWrite = useMayWrite()
  const query = transporteQuery(api, camera.id)
  const { data } = useQuery(query)
  const change = useMutation({
    mutationFn: (transporte: Transporte) =>
      api.send('PUT', `/cameras/${camera.id}/transporte`, { transporte }, transporteCameraSchema),
    onSuccess(saved) {
      queries.setQueryData(query.queryKey, saved)
      announce(t('camera.transporte.salvo'))
    },
  })
  if (!data) return null
  return (
    <section className={classes.card} aria-labelledby="transporte">
      <h2 id="transporte">{t('camera.transporte.titulo')}</h2>
      {mayWrite && (
        <NativeSelect
          label={t('camera.transporte.campo')}
          description={t('camera.transporte.ajuda')}
          value={data.transporte}
          disabled={change.isPending}
          error={change.error ? formErrors(change.error, []).general : null}
          data={transporteSchema.options.map((value) => ({ value, label: t(`camera.transporte.opcao.${value}`) }))}
          onChange={(event) => change.mutate(transporteSchema.parse(event.currentTarget.value))}
        />
      )}
      <p>{t(`camera.transporte.leitura.${data.leitura ?? 'nenhuma'}`)}</p>
      {data.perdas && <p>{t('camera.transporte.perdas', lossesOf(data.perdas))}</p>}
      {data.detalhe && (
        <Alert color="yellow" variant="light" role="status">
          {data.detalhe}
        </Alert>
      )}
    </section>
  )
}
