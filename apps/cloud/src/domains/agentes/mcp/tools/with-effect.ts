import { codigoSchema } from '@vigia/contracts/edges'
import { mascarasPutSchema, mascarasSchema } from '@vigia/contracts/mascaras'
import { type Retencao, regrasRetencao, tiposRetencao } from '@vigia/contracts/retencao'
import { z } from 'zod'
import { routeTool } from '../route-tool.ts'
import { defineTool } from '../tool.ts'
import { ALTERACAO, CRIACAO } from './annotations.ts'
import { cameraLink } from './camera-summary.ts'
import { cameraId, edgeId, empresaId } from './ids.ts'

const dias = z.int().min(1).max(3_650)

/** Tools whose effect a person must have allowed on the consent page (http/effects.ts). */
export const toolsWithEffect = [
  defineTool({
    nome: 'alterar_retencao',
    titulo: 'Alterar retenção',
    descricao:
      'Muda por quantos dias uma Empresa guarda um tipo de dado. Um prazo menor apaga o que passou dele, sem volta, ' +
      'e pede a permissão “Apagar dados”. Confirme com a pessoa antes.',
    entrada: z.strictObject({
      empresa_id: empresaId,
      tipo: z.enum(tiposRetencao).describe('O tipo de dado.'),
      dias: dias.describe('Clipes: 2 ou mais; auditoria: 180 ou mais.'),
    }),
    saida: z.object({
      tipo: z.enum(tiposRetencao).describe('O tipo de dado que mudou.'),
      nome: z.string().describe('O tipo de dado, por extenso.'),
      dias: z.int().describe('Por quantos dias fica guardado agora.'),
    }),
    operacoes: ['alterarRetencao'],
    efeito: 'destroys',
    anotacoes: ALTERACAO,
    run: async ({ empresa_id, tipo, dias }, ctx) => {
      const values = { params: { empresa_id: String(empresa_id) }, json: { [tipo]: { dias } } }
      const { regras } = await ctx.json<Retencao>('alterarRetencao', values)
      const regra = regras.find((one) => one.tipo === tipo)
      return { dados: { tipo, nome: regrasRetencao[tipo].nome, dias: regra?.dias ?? dias } }
    },
  }),
  routeTool({
    nome: 'alterar_mascaras',
    titulo: 'Alterar máscaras de privacidade',
    descricao:
      'Define todas as máscaras de uma câmera; as que faltam são removidas. Tirar ou diminuir uma pede a permissão ' +
      '“Mudar quem vê o quê”. As atuais: obter_camera. Confira a imagem com a pessoa.',
    rota: { operacao: 'definirMascaras', json: mascarasPutSchema, resposta: mascarasSchema },
    registro: ['camera_id', cameraId],
    corpo: { mascaras: 'Um polígono por lista: [x1,y1,x2,y2,…], de 0 a 1.' },
    devolve: ['mascaras', 'As máscaras, e se a caixa já as aplica.'],
    efeito: 'reveals',
    anotacoes: ALTERACAO,
    vinculo: cameraLink,
  }),
  routeTool({
    nome: 'gerar_codigo_edge',
    titulo: 'Gerar código de ativação',
    descricao:
      'Gera um código novo para ativar uma caixa. Vale uma vez, por 24 horas; o anterior deixa de valer. Quem ' +
      'tem o código liga uma caixa a esta conta: pede a permissão “Dar acesso”.',
    rota: { operacao: 'gerarCodigo', resposta: codigoSchema },
    registro: ['edge_id', edgeId],
    devolve: ['codigo', 'O código; mostre-o só à pessoa que instala.'],
    efeito: 'grants',
    anotacoes: CRIACAO,
  }),
]
