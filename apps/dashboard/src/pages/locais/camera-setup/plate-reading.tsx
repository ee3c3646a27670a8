import { useQuery } from '@tanstack/react-query'
import type { LeituraPlacas } from '@vigia/contracts/leitura-placas'
import { useTranslation } from 'react-i18next'
import { leituraPlacasQuery } from '../../../api/presencas-queries.ts'
import { useServices } from '../../../session/services.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Soft } from '../../../ui/page.tsx'

/** How the camera reads plates, by its newest passages, and what to change at it. */
export function PlateReading({ cameraId }: { cameraId: number }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data, error, refetch } = useQuery(leituraPlacasQuery(api, cameraId))
  return (
    <section aria-labelledby="leitura-placas">
      <h2 id="leitura-placas">{t('placas.leitura.titulo')}</h2>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {data && <Figures leitura={data} />}
      <Soft>{t('placas.camera.dicas')}</Soft>
    </section>
  )
}

function Figures({ leitura }: { leitura: LeituraPlacas }) {
  const { t } = useTranslation()
  const { passagens, com_placa, largura_px, borrao_px, angulo_graus, conselhos } = leitura
  const lines = [
    passagens > 0 && t('placas.leitura.lidas', { lidas: com_placa, total: passagens }),
    largura_px !== null && t('placas.leitura.largura', { pontos: Math.round(largura_px) }),
    borrao_px !== null && t('placas.leitura.borrao', { pontos: borrao_px }),
    angulo_graus !== null && t('placas.leitura.angulo', { graus: Math.abs(Math.round(angulo_graus)) }),
  ].filter((line) => line !== false)
  return (
    <>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {conselhos.map((conselho) => (
        <p key={conselho}>{t(`placas.leitura.conselho.${conselho}`)}</p>
      ))}
    </>
  )
}
