import { Button, Progress } from '@mantine/core'
import { IconDownload, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Gravacao } from '@vigia/contracts/gravacoes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatClock, formatFull, formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useWhen } from '../../../base/tempo/use-when.ts'
import { useCamera, useMayWork } from '../../../domains/locais/cameras/use-camera.tsx'
import { ClipPlayer } from '../../../domains/video/clipes/clip-player.tsx'
import { gravacoesQuery, isUnderWay } from '../../../domains/video/clipes/gravacoes-query.ts'
import { useServices } from '../../../session/services.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { Row } from '../../../ui/layout.tsx'
import { Soft } from '../../../ui/page.tsx'
import classes from './gravacoes.module.css'

/** A smaller difference of the recorder's clock is not mentioned. */
const CLOCK_MS = 2_000

interface GravacaoItemProps {
  readonly gravacao: Gravacao
  readonly fuso: Fuso
  /** Plays from here, epoch ms, as soon as its video is there; null: not before the person opens it. */
  readonly atMs: number | null
}

/** One requested part: its progress, or its video. */
export function GravacaoItem({ gravacao, fuso, atMs }: GravacaoItemProps) {
  const { t } = useTranslation()
  const now = useNow()
  const when = useWhen()
  const { inicio, fim, estado, progresso, detalhe, fonte, pedida_por, criada_em, hora_incerta } = gravacao
  const trecho = t('gravacoes.trecho', { inicio: formatFull(inicio, fuso), fim: formatClock(fim, fuso) })
  return (
    <li ref={atMs === null ? null : intoView} className={classes.item} aria-label={trecho}>
      <h3>{trecho}</h3>
      <p role="status">
        <strong>{t(`gravacoes.estado.${estado}`)}</strong>
        {detalhe !== null && ` – ${detalhe}`}
      </p>
      {atMs !== null && isUnderWay(gravacao) && <Soft>{t('gravacoes.carregando')}</Soft>}
      {isUnderWay(gravacao) && (
        <Progress
          value={estado === 'enviando' ? 100 : progresso * 100}
          animated={estado === 'enviando'}
          aria-label={t('gravacoes.andamento')}
        />
      )}
      <ClockNote relogio={gravacao.relogio} />
      {fonte === 'caixa' && <Soft>{t('gravacoes.daCaixa')}</Soft>}
      {hora_incerta && <Soft>{when({ em: inicio, incerta: hora_incerta }, fuso, formatFull)}</Soft>}
      <Soft>{t('gravacoes.por', { por: pedida_por, quando: formatWhen(criada_em, now, fuso) })}</Soft>
      <Actions gravacao={gravacao} atMs={atMs} />
    </li>
  )
}

/** A browser plays a silent video only where it is seen; the bar of the navigation covers the end of a phone. */
const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })

function ClockNote({ relogio }: Pick<Gravacao, 'relogio'>) {
  const { t } = useTranslation()
  if (relogio === null) return null
  const { desvio_ms, medido } = relogio
  if (!medido) return <Soft>{t('gravacoes.semRelogio')}</Soft>
  if (Math.abs(desvio_ms) < CLOCK_MS) return null
  const segundos = formatNumber(Math.round(Math.abs(desvio_ms) / 1000))
  const key = desvio_ms > 0 ? 'gravacoes.adiantado' : 'gravacoes.atrasado'
  return <Soft>{t(key, { segundos })}</Soft>
}

function Actions({ gravacao, atMs }: Omit<GravacaoItemProps, 'fuso'>) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const mayWork = useMayWork()
  const { nome } = useCamera()
  const [isOpen, setOpen] = useState(atMs !== null)
  const { id, camera_id, inicio, arquivo_url, arquivo_inicio } = gravacao
  const isEnded = !isUnderWay(gravacao)
  const remove = useMutation({
    mutationFn: () => api.remove(`/gravacoes/${id}`),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: gravacoesQuery(api, camera_id).queryKey })
      announce(t(isEnded ? 'gravacoes.apagada' : 'gravacoes.cancelada'))
    },
  })
  return (
    <>
      <Row gap={6}>
        {arquivo_url !== null && (
          <>
            <Button
              variant="default"
              size="sm"
              aria-expanded={isOpen}
              leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
              onClick={() => setOpen(!isOpen)}
            >
              {t(isOpen ? 'gravacoes.fechar' : 'gravacoes.assistir')}
            </Button>
            <Button
              component="a"
              href={arquivo_url}
              download={`vigia-gravacao-${id}.mp4`}
              variant="default"
              size="sm"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
            >
              {t('gravacoes.baixar')}
            </Button>
          </>
        )}
        {mayWork && (
          <Button
            variant="subtle"
            size="sm"
            loading={remove.isPending}
            leftSection={<IconX size={16} aria-hidden="true" />}
            onClick={() => remove.mutate()}
          >
            {t(isEnded ? 'gravacoes.apagar' : 'gravacoes.cancelar')}
          </Button>
        )}
      </Row>
      {remove.error && (
        <p className={classes.failure} role="alert">
          {formErrors(remove.error, []).general}
        </p>
      )}
      {isOpen && arquivo_url !== null && (
        <div ref={atMs === null ? null : intoView}>
          <ClipPlayer
            url={arquivo_url}
            poster={null}
            strip={null}
            startMs={Math.max(0, (atMs ?? Date.parse(inicio)) - Date.parse(arquivo_inicio ?? inicio))}
            autoPlay={atMs !== null}
            camera={nome}
          />
        </div>
      )}
    </>
  )
}
