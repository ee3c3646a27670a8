import { describe, expect, it } from 'vitest'
import { edgeName, identityOf } from './identity.ts'
import { edgeIdOf, everyEdge, parseTopic, topicNames, topics } from './topics.ts'

describe('topics', () => {
  it('builds the topics of one edge', () => {
    expect(topics(7)).toEqual({
      candidatos: 'vigia/v1/edges/edge-7/candidatos',
      confirmacoes: 'vigia/v1/edges/edge-7/confirmacoes',
      desejado: 'vigia/v1/edges/edge-7/desejado',
      relato: 'vigia/v1/edges/edge-7/relato',
      presenca: 'vigia/v1/edges/edge-7/presenca',
      pedidos: 'vigia/v1/edges/edge-7/pedidos',
      respostas: 'vigia/v1/edges/edge-7/respostas',
      aovivo: 'vigia/v1/edges/edge-7/aovivo',
      extras: 'vigia/v1/edges/edge-7/extras',
      renovacao: 'vigia/v1/edges/edge-7/renovacao',
      certificado: 'vigia/v1/edges/edge-7/certificado',
    })
    expect(everyEdge.relato).toBe('vigia/v1/edges/+/relato')
  })

  it('parses the topics that it builds', () => {
    for (const edgeId of [1, 7, 2_147_483_647]) {
      expect(parseTopic(topics(edgeId).relato)).toEqual({ edgeId, name: 'relato' })
      expect(edgeIdOf(topics(edgeId).desejado)).toBe(edgeId)
      for (const name of topicNames) expect(parseTopic(topics(edgeId)[name])).toEqual({ edgeId, name })
    }
  })

  it.each([
    '',
    'vigia/v1/edges/+/relato',
    'vigia/v1/edges/7/relato',
    'vigia/v1/edges/edge-07/relato',
    'vigia/v1/edges/edge-0/relato',
    'vigia/v1/edges/edge-7/outra',
    'vigia/v1/edges/edge-7/relato/mais',
    'vigia/v1/edges/edge-7/relato\n',
    '/vigia/v1/edges/edge-7/relato',
    'vigia/v1/edges/cloud/relato',
    'vigia/v1/edges/edge-99999999999/relato',
  ])('does not parse %j', (topic) => {
    expect(parseTopic(topic)).toBeNull()
  })
})

describe('identity', () => {
  it('accepts the certificate names of edges and the cloud only', () => {
    expect(identityOf(edgeName(7))).toEqual({ kind: 'edge', edgeId: 7 })
    expect(identityOf('cloud')).toEqual({ kind: 'cloud' })
    for (const name of ['', 'broker', 'Cloud', 'edge-', 'edge-x', 'edge-7 ', ' edge-7', 'edge-7/x', 'edge-+']) {
      expect(identityOf(name)).toBeNull()
    }
  })

  it('throws for an impossible id', () => {
    for (const id of [0, -1, 1.5, Number.NaN]) expect(() => edgeName(id)).toThrow(RangeError)
  })
})
