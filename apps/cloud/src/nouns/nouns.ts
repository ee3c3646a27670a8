import * as agentes from '../domains/agentes/nouns.ts'
import * as eventos from '../domains/eventos/nouns.ts'
import * as locais from '../domains/locais/nouns.ts'
import * as mensagens from '../domains/mensagens/nouns.ts'
import * as operacao from '../domains/operacao/nouns.ts'
import * as pessoas from '../domains/pessoas/nouns.ts'
import * as placas from '../domains/placas/nouns.ts'
import * as video from '../domains/video/nouns.ts'
import { nounsOf } from './define-noun.ts'

/** The declared nouns of each domain. Tables, register of data, chapters and quotas are derived from them. */
export const domains = { agentes, eventos, locais, mensagens, operacao, pessoas, placas, video }

export const nouns = nounsOf(domains)
