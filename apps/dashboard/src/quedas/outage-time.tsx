import type { Queda } from '@vigia/contracts/eventos'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatDuration, formatFull, formatMoment } from '../tempo/format-time.ts'
import { useNow } from '../tempo/use-now.ts'

const lastedMs = ({ inicio, fim }: Queda, nowMs: number): number =>
  (fim === null ? nowMs : Date.parse(fim)) - Date.parse(inicio)

/** Since when something is down, in one line of a card. */
export function DownSince({ queda, fuso }: { queda: Queda; fuso: Fuso }) {
  const { t } = useTranslation()
  const now = useNow()
  const quando = formatMoment(queda.inicio, now, fuso)
  return (
    <time dateTime={queda.inicio} title={formatFull(queda.inicio, fuso)}>
      {t('quedas.desde', { quando, duracao: formatDuration(lastedMs(queda, now)) })}
    </time>
  )
}

/** From when to when, and how long. */
export function OutageTime({ queda, fuso }: { queda: Queda; fuso: Fuso }) {
  const { t } = useTranslation()
  const now = useNow()
  const duracao = formatDuration(lastedMs(queda, now))
  const quando = formatMoment(queda.inicio, now, fuso)
  const begun = { dateTime: queda.inicio, title: formatFull(queda.inicio, fuso) }
  if (queda.fim === null) return <time {...begun}>{t('quedas.dura', { quando, duracao })}</time>
  return (
    <>
      <time {...begun}>{quando}</time> –{' '}
      <time dateTime={queda.fim} title={formatFull(queda.fim, fuso)}>
        {endText(queda, now, fuso)}
      </time>{' '}
      · {t('quedas.durou', { duracao })}
    </>
  )
}

/** The end without its day where that is the day of the beginning. */
function endText({ inicio, fim }: Queda, nowMs: number, fuso: Fuso): string {
  const [from, to] = [formatMoment(inicio, nowMs, fuso), formatMoment(fim ?? inicio, nowMs, fuso)]
  const day = from.slice(0, -'00:00'.length)
  return day !== '' && to.startsWith(day) ? to.slice(day.length) : to
}
