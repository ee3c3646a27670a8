import { type Gravidade, gravidades } from '@vigia/contracts/ias'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxGravidade } from '../../../db/incidentes.ts'
import { MAX_GAP_MS, MAX_SPAN_MS, type OpenIncidente, type PlacedEvento, placeEvento } from './place-evento.ts'

const evento = (s: number, change: Partial<PlacedEvento> = {}): PlacedEvento => ({
  tipo: 'veiculo',
  placa: null,
  ocorrido_em: s * 1000,
  gravidade: 'media',
  incerto: false,
  prova: false,
  trilha: null,
  ...change,
})
const incidente = (id: number, fromS: number, toS: number, change: Partial<OpenIncidente> = {}): OpenIncidente => ({
  id,
  inicio: fromS * 1000,
  fim: toS * 1000,
  gravidade: 'media',
  refutado: false,
  atendido: false,
  tipos: new Set(['veiculo']),
  placa: null,
  incerto: false,
  prova: false,
  trilhas: new Set(),
  ...change,
})
const placed = (incidentes: readonly OpenIncidente[], at: PlacedEvento) => placeEvento(incidentes, at)?.id ?? null

describe('an event', () => {
  it('of an uncertain time joins only incidentes of uncertain times, except by its track', () => {
    const open = [incidente(1, 1000, 1060), incidente(2, 1000, 1060, { incerto: true }), incidente(3, 0, 0)]
    expect(placed(open, evento(1030, { incerto: true }))).toBe(2)
    expect(placed(open.slice(0, 1), evento(1030, { incerto: true }))).toBeNull()
    expect(placed(open.slice(1, 2), evento(1030))).toBeNull()
    const tracked = [incidente(1, 1000, 1060, { trilhas: new Set(['a']) })]
    expect(placed(tracked, evento(1030, { incerto: true, trilha: 'a' }))).toBe(1)
  })

  it('joins an incidente up to 120 s before its start and after its end', () => {
    const open = [incidente(1, 1000, 1060)]
    for (const [s, id] of [
      [1180, 1],
      [1181, null],
      [1030, 1],
      [880, 1],
      [879, null],
    ] as const)
      expect([s, placed(open, evento(s))]).toEqual([s, id])
  })

  it('makes no incidente longer than 15 minutes by its time', () => {
    const open = [incidente(1, 0, 840)]
    expect(placed(open, evento(900))).toBe(1)
    expect(placed(open, evento(901))).toBeNull()
    expect(placed(open, evento(-61))).toBeNull()
    // A track has made this one longer than that.
    expect(placed([incidente(2, 0, 3600)], evento(1800))).toBeNull()
  })

  it('of a known track joins its incidente without any limit', () => {
    const open = [incidente(1, 0, 840, { trilhas: new Set(['a']) }), incidente(2, 7000, 7010)]
    expect(placed(open, evento(7005, { trilha: 'a' }))).toBe(1)
    expect(placed(open, evento(7005, { trilha: 'b' }))).toBe(2)
  })

  it('joins the gravest incidente, and of several the newest', () => {
    const open = [incidente(1, 0, 800), incidente(2, 790, 810), incidente(3, 0, 700, { gravidade: 'alta' })]
    expect(placed(open, evento(805))).toBe(3)
    expect(placed(open.slice(0, 2), evento(805))).toBe(2)
    expect(placed(open.slice(0, 2).toReversed(), evento(805))).toBe(2)
    expect(placed([incidente(3, 0, 9), incidente(4, 0, 9)], evento(5))).toBe(4)
  })

  it('joins one of another IA unless it is graver, and one of the same IA in any case', () => {
    const open = [incidente(1, 0, 10)]
    expect(placed(open, evento(5, { tipo: 'invasao', gravidade: 'baixa' }))).toBe(1)
    expect(placed(open, evento(5, { tipo: 'invasao', gravidade: 'media' }))).toBe(1)
    expect(placed(open, evento(5, { tipo: 'fogo', gravidade: 'critica' }))).toBeNull()
    expect(placed(open, evento(5, { gravidade: 'critica' }))).toBe(1)
    const both = [...open, incidente(2, 20, 20, { gravidade: 'critica', tipos: new Set(['fogo']) })]
    expect(placed(both, evento(25))).toBe(2)
  })

  it('of a plate joins only an incidente of the same plate, within 15 minutes', () => {
    const plate = (s: number, placa: string, change = {}) => evento(s, { tipo: 'placa', placa, ...change })
    const own = { tipos: new Set(['placa']), placa: 'ABC1D23' }
    const open = [incidente(1, 0, 60), incidente(2, 0, 0, own)]
    expect(placed(open, plate(1, 'XYZ9A87'))).toBeNull()
    expect(placed(open, plate(900, 'ABC1D23', { gravidade: 'alta' }))).toBe(2)
    expect(placed(open, plate(901, 'ABC1D23'))).toBeNull()
    expect(placed(open, evento(1))).toBe(1)
    expect(placed(open.slice(1), evento(1))).toBeNull()
    const tracked = [incidente(1, 0, 60, { trilhas: new Set(['a']) })]
    expect(placed(tracked, plate(1, 'ABC1D23', { trilha: 'a' }))).toBeNull()
  })

  it('joins an incidente of refuted events only by its track', () => {
    const open = [incidente(1, 0, 10, { refutado: true, trilhas: new Set(['a']) })]
    expect(placed(open, evento(5))).toBeNull()
    expect(placed(open, evento(5, { trilha: 'a' }))).toBe(1)
  })

  it('keeps an event of a walk test apart from the others, also with the same track', () => {
    const real = incidente(1, 0, 10, { trilhas: new Set(['a']) })
    expect(placed([real], evento(5, { prova: true, trilha: 'a' }))).toBeNull()
    const test = incidente(2, 0, 10, { prova: true })
    expect(placed([real, test], evento(5, { prova: true }))).toBe(2)
    expect(placed([real, test], evento(5))).toBe(1)
  })

  it('joins an answered incidente only where the answer covers it', () => {
    const open = [incidente(1, 0, 60, { atendido: true, trilhas: new Set(['a']) })]
    expect(placed(open, evento(30))).toBe(1)
    expect(placed(open, evento(-30))).toBe(1)
    expect(placed(open, evento(61))).toBeNull()
    expect(placed(open, evento(61, { trilha: 'a' }))).toBe(1)
    expect(placed(open, evento(30, { gravidade: 'alta' }))).toBeNull()
    expect(placed(open, evento(61, { gravidade: 'critica', trilha: 'a' }))).toBeNull()
  })
})

type Held = OpenIncidente & { readonly events: readonly PlacedEvento[] }

/** Assigns all events in order. */
function placeAll(events: readonly PlacedEvento[]): { held: readonly Held[]; ids: readonly number[] } {
  const held = new Map<number, Held>()
  const ids: number[] = []
  for (const each of events) {
    const found = placeEvento([...held.values()], each)
    const id = found?.id ?? held.size + 1
    held.set(id, {
      id,
      inicio: Math.min(found?.inicio ?? each.ocorrido_em, each.ocorrido_em),
      fim: Math.max(found?.fim ?? each.ocorrido_em, each.ocorrido_em),
      gravidade: maxGravidade(found?.gravidade ?? each.gravidade, each.gravidade),
      tipos: new Set([...(found?.tipos ?? []), each.tipo]),
      placa: each.placa,
      refutado: false,
      atendido: false,
      incerto: false,
      prova: false,
      trilhas: new Set([...(found?.trilhas ?? []), ...(each.trilha === null ? [] : [each.trilha])]),
      events: [...(found?.events ?? []), each],
    })
    ids.push(id)
  }
  return { held: [...held.values()], ids }
}

const events = (trilha: fc.Arbitrary<string | null>, tipos: readonly string[] = ['invasao', 'veiculo']) =>
  fc.array(
    fc.record({
      tipo: fc.constantFrom(...tipos),
      placa: fc.constant(null),
      ocorrido_em: fc.integer({ min: 0, max: 7200 }).map((s) => s * 1000),
      gravidade: fc.constantFrom<Gravidade>(...gravidades),
      incerto: fc.constant(false),
      prova: fc.constant(false),
      trilha,
    }),
    { maxLength: 60 },
  )
const times = (of: readonly PlacedEvento[]) => of.map(({ ocorrido_em }) => ocorrido_em).toSorted((a, b) => a - b)

describe('events in any order', () => {
  it('never make an incidente longer than 15 minutes, nor with a gap above 120 s, without tracks', () => {
    fc.assert(
      fc.property(events(fc.constant(null)), (all) => {
        for (const { events: own, inicio, fim } of placeAll(all).held) {
          const at = times(own)
          expect(fim - inicio).toBeLessThanOrEqual(MAX_SPAN_MS)
          expect([at[0], at.at(-1)]).toEqual([inicio, fim])
          for (const [i, time] of at.entries()) expect(time - (at[i - 1] ?? time)).toBeLessThanOrEqual(MAX_GAP_MS)
        }
      }),
    )
  })

  it('of one track are in one incidente', () => {
    const tracked = events(fc.constantFrom('a', 'b', 'c', null))
    fc.assert(
      fc.property(tracked, (all) => {
        const { ids } = placeAll(all)
        for (const trilha of ['a', 'b', 'c']) {
          const used = new Set(ids.filter((_, i) => all[i]?.trilha === trilha))
          expect(used.size).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('open an incidente only if no other can take them', () => {
    fc.assert(
      fc.property(events(fc.constantFrom('a', 'b', null)), (all) => {
        for (let i = 0; i < all.length; i += 1) {
          const before = placeAll(all.slice(0, i))
          const next = all[i]
          const opened = placeAll(all.slice(0, i + 1)).held.length > before.held.length
          if (!next || !opened) continue
          for (const { inicio, fim, trilhas, tipos, gravidade } of before.held) {
            const near = next.ocorrido_em >= inicio - MAX_GAP_MS && next.ocorrido_em <= fim + MAX_GAP_MS
            const reach = Math.max(fim, next.ocorrido_em) - Math.min(inicio, next.ocorrido_em)
            const isOwn = tipos.has(next.tipo) || maxGravidade(gravidade, next.gravidade) === gravidade
            expect(near && reach <= MAX_SPAN_MS && isOwn).toBe(false)
            expect(next.trilha !== null && trilhas.has(next.trilha)).toBe(false)
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  it('keep their incidente when later ones arrive', () => {
    fc.assert(
      fc.property(events(fc.constantFrom('a', 'b', null)), fc.nat(60), (all, n) => {
        expect(placeAll(all).ids.slice(0, n)).toEqual(placeAll(all.slice(0, n)).ids)
      }),
    )
  })
})

it('events of one IA in order of time are divided at each gap above 120 s and at each 15 minutes', () => {
  fc.assert(
    fc.property(events(fc.constant(null), ['invasao']), (all) => {
      const ordered = all.toSorted((a, b) => a.ocorrido_em - b.ocorrido_em)
      let count = 0
      let [start, end] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
      const expected = ordered.map(({ ocorrido_em: at }) => {
        if (at - end > MAX_GAP_MS || at - start > MAX_SPAN_MS) {
          count += 1
          start = at
        }
        end = at
        return count
      })
      expect(placeAll(ordered).ids).toEqual(expected)
    }),
  )
})
