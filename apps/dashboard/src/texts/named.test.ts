import type { DetalhesIa } from '@vigia/contracts/candidate'
import type { NomePerfil } from '@vigia/contracts/perfis'
import { expect, expectTypeOf, it } from 'vitest'
import en from './en/base.json'
import perfis from './en/perfis.json'
import ptBr from './pt-BR/base.json'

/** Words for the values of an enumeration or of a list, or how a number is written. */
type Valor<T> = [T] extends [readonly (infer Item)[]] ? Valor<Item> : [T] extends [string] ? Record<T, string> : string
/** The path is drawn on the frame; the owner's box is for programs. */
type CampoMedido = Exclude<keyof DetalhesIa, 'trajeto' | 'dono'>
type Medidos = { [Campo in CampoMedido]: { termo: string; valor: Valor<NonNullable<DetalhesIa[Campo]>> } }

it('each measurement of `detalhes` that an IA declares has its term and its words', () => {
  expectTypeOf(ptBr.alertas.detalhe.medido).toEqualTypeOf<Medidos>()
  for (const { medido } of [ptBr.alertas.detalhe, en.alertas.detalhe])
    for (const { valor } of Object.values(medido))
      if (typeof valor === 'string') expect(['numero', 'duracao']).toContain(valor)
})

it('each Perfil has an English title and description', () => {
  expectTypeOf(perfis).toEqualTypeOf<Record<NomePerfil, { titulo: string; descricao: string }>>()
})
