import { describe, expect, it } from 'vitest'
import { createRetryPolicy } from './retry-policy.ts'

const [least, most] = [() => 0, () => 1]

describe('createRetryPolicy', () => {
  it('waits longer after each failure up to a limit and never stops', () => {
    const policy = createRetryPolicy(false, most)
    const waits = Array.from({ length: 50 }, () => policy.failed('conexao_recusada', 0))
    expect(waits.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000])
    expect(waits.at(-1)).toBe(30_000)
  })

  it('draws each delay at random from its upper half', () => {
    expect(createRetryPolicy(false, least).failed('video_parado', 0)).toBe(500)
    expect(createRetryPolicy(false, most).failed('video_parado', 0)).toBe(1_000)
  })

  it('sends at most four refused logins in an hour: makers lock addresses out', () => {
    const policy = createRetryPolicy(true, least)
    const sent = [0]
    for (let i = 0; i < 20; i++) sent.push((sent.at(-1) ?? 0) + policy.failed('senha_recusada', 0))
    expect(sent.slice(0, 4)).toEqual([0, 15_000, 75_000, 75_000 + 30 * 60_000])
    for (const from of sent) expect(sent.filter((at) => at >= from && at < from + 3_600_000).length).toBeLessThan(5)
    policy.failed('fluxo_encerrado', 60_000)
    expect(policy.failed('senha_recusada', 0)).toBe(15_000)
  })

  it('sends the four logins earlier to a device that was unreachable before: it starts', () => {
    const policy = createRetryPolicy(true, most)
    policy.failed('conexao_recusada', 0)
    const waits = Array.from({ length: 5 }, () => policy.failed('senha_recusada', 0))
    expect(waits).toEqual([30_000, 60_000, 210_000, 3_600_000, 3_600_000])
    policy.failed('fluxo_encerrado', 60_000)
    expect([0, 1].map(() => policy.failed('senha_recusada', 0))).toEqual([30_000, 120_000])
  })

  it('waits moderately after a definite refusal', () => {
    expect(createRetryPolicy(false, most).failed('nao_encontrado', 0)).toBe(10_000)
    expect(createRetryPolicy(false, most).failed('codec_nao_suportado', 0)).toBe(10_000)
  })

  it('resets the delay after a stable run, not after a short one', () => {
    const policy = createRetryPolicy(false, most)
    for (let i = 0; i < 5; i++) policy.failed('fluxo_encerrado', 2_000)
    expect(policy.failed('fluxo_encerrado', 2_000)).toBe(30_000)
    expect(policy.failed('fluxo_encerrado', 60_000)).toBe(1_000)
  })

  it('prefers the sub stream, tries the main stream after repeated failures, and returns to the sub stream', () => {
    const policy = createRetryPolicy(true, most)
    expect(policy.choice).toBe('sub')
    const choices = Array.from({ length: 7 }, () => {
      policy.failed('equipamento_ocupado', 0)
      return policy.choice
    })
    expect(choices).toEqual(['sub', 'sub', 'principal', 'principal', 'principal', 'sub', 'sub'])
    policy.failed('equipamento_ocupado', 0)
    policy.failed('equipamento_ocupado', 0)
    expect(policy.choice).toBe('principal')
    policy.failed('fluxo_encerrado', 600_000)
    expect(policy.choice).toBe('sub')
  })

  it.each(['nao_encontrado', 'sem_video', 'codec_nao_suportado'] as const)(
    'tries the main stream within a second after the first %s of the sub stream',
    (failure) => {
      const policy = createRetryPolicy(true, most)
      expect(policy.failed(failure, 0)).toBe(1_000)
      expect(policy.choice).toBe('principal')
      // The main stream has the same answer: the recorder is spared.
      expect(policy.failed(failure, 0)).toBe(20_000)
      expect(policy.choice).toBe('principal')
    },
  )

  it('keeps the sub stream that had pictures, and that of a device that starts', () => {
    const [broken, starting] = [createRetryPolicy(true), createRetryPolicy(true)]
    broken.failed('dados_invalidos', 5_000)
    starting.failed('conexao_recusada', 0)
    starting.failed('sem_video', 0)
    expect([broken.choice, starting.choice]).toEqual(['sub', 'sub'])
  })

  it('tries the other stream at once after one that had no keyframe for so long', () => {
    const policy = createRetryPolicy(true, most)
    policy.failed('sem_quadro_chave', 0)
    expect(policy.choice).toBe('principal')
  })

  it('keeps the main stream when there is no sub stream', () => {
    const policy = createRetryPolicy(false)
    for (let i = 0; i < 10; i++) policy.failed('nao_encontrado', 0)
    expect(policy.choice).toBe('principal')
  })
})
