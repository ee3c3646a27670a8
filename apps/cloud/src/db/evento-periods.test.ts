import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cover, type Periods, periodOf } from './evento-periods.ts'

const DAY = 86_400_000
const inPeriods = ({ dias, de, ate }: Periods, epochMs: number) => {
  const periodo = periodOf(dias, epochMs)
  return (de === null || periodo >= de) && (ate === null || periodo < ate)
}
const instant = fc.integer({ min: 0, max: 4000 * DAY })

it('covers each instant of the span once, and outside of it only the returned excess', () => {
  const bound = fc.option(instant, { nil: undefined })
  fc.assert(
    fc.property(bound, bound, fc.array(instant, { minLength: 1, maxLength: 50 }), (one, other, instants) => {
      const swap = one !== undefined && other !== undefined && one > other
      const [desde, ate] = swap ? [other, one] : [one, other]
      const { periodos, sobras } = cover({ desde, ate })
      const edges = [desde ?? 0, ate ?? 0].flatMap((at) => [at - DAY, at - 1, at, at + 1, at + DAY, at + 33 * DAY])
      for (const at of [...instants, ...edges].filter((value) => value >= 0)) {
        const inside = (desde === undefined || at >= desde) && (ate === undefined || at < ate)
        const counted = periodos.filter((periods) => inPeriods(periods, at)).length
        const beyond = sobras.filter((span) => at >= (span.desde ?? 0) && at < (span.ate ?? 0)).length
        expect({ at, times: counted - beyond }).toEqual({ at, times: inside ? 1 : 0 })
      }
    }),
  )
})

it('needs few periods for long spans, with less than a day of excess at each end', () => {
  fc.assert(
    fc.property(instant, instant, (one, other) => {
      const { periodos, sobras } = cover({ desde: Math.min(one, other), ate: Math.max(one, other) })
      const days = periodos.filter(({ dias }) => dias === 1)
      expect(days.reduce((sum, { de, ate }) => sum + (ate ?? 0) - (de ?? 0), 0)).toBeLessThan(96)
      for (const { desde = 0, ate = 0 } of sobras) expect(ate - desde).toBeLessThan(DAY)
    }),
  )
})
