import type { Queda } from '@vigia/contracts/eventos'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatDuration, formatFull, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'

/** Duration until the end, or until `now`. */
export const lastedMs = ({ inicio, fim }: Queda, now: number): number =>
  (fim === null ? now : Date.parse(fim)) - Date.parse(inicio)

/** Start and duration of an open queda in one line of a card. */
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

/** Start, end and duration of a queda. */
export function QuedaTime({ queda, fuso }: { queda: Queda; fuso: Fuso }) {
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

/** Formats the end, without its day if that is the day of the start. */
function endText({ inicio, fim }: Queda, now: number, fuso: Fuso): string {
  const [from, to] = [formatMoment(inicio, now, fuso), formatMoment(fim ?? inicio, now, fuso)]
  const day = from.slice(0, -'00:00'.length)
  return day !== '' && to.startsWith(day) ? to.slice(day.length) : to
}
