import { MAX_CANAIS, type PortaTestada, portaTestadaSchema, testarConexaoSchema } from '@vigia/contracts/cameras'
import {
  descobrirSchema,
  type ResultadoCadastro,
  type ResultadoCanal,
  resultadoCanalSchema,
} from '@vigia/contracts/gravadores'
import { nomesPerfis } from '@vigia/contracts/perfis'
import { textoCurto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { CRIACAO, SONDAGEM } from './annotations.ts'
import { cameraResumoSchema, resumeCamera } from './camera-summary.ts'
import { edgeId, empresaId } from './ids.ts'

const { shape } = descobrirSchema

/** Access to a gravador, and its Empresa. */
const acesso = {
  fabricante: shape.fabricante.describe('`generico`: com url_template.'),
  host: shape.host.describe('IP ou nome na rede da caixa.'),
  porta: shape.porta.describe('RTSP (554); com `onvif`, a do ONVIF (80, 8000).'),
  usuario: shape.usuario.describe('Pode ser vazio.'),
  senha: shape.senha.describe('A que a pessoa informou.'),
  num_canais: shape.num_canais.describe(`Quantos tem, de 1 a ${MAX_CANAIS}.`),
  empresa_id: empresaId,
  edge_id: edgeId.optional().describe('Se a Empresa tem vários.'),
  url_template: shape.url_template.unwrap().unwrap().optional().describe('Forma da URL: {base}/canal{channel}.'),
  sub_url_template: shape.sub_url_template.unwrap().unwrap().optional().describe('Do vídeo de baixa resolução.'),
}

export const gravadorSetupTools = [
  defineTool({
    nome: 'descobrir_gravador',
    titulo: 'Descobrir canais de um gravador',
    descricao:
      'Pergunta a um gravador, pela caixa, quais canais têm vídeo: `nova`, `já cadastrada` ou `vazia`. Não ' +
      'guarda nada; leva até dois minutos. Não tente senhas: o gravador bloqueia. Depois, cadastrar_gravador.',
    entrada: z.strictObject(acesso),
    saida: z.object({ canais: z.array(resultadoCanalSchema).describe('Um por canal, em ordem.') }),
    operacoes: ['descobrirCanais'],
    anotacoes: SONDAGEM,
    run: async (json, ctx) => ({ dados: { canais: await ctx.json<ResultadoCanal[]>('descobrirCanais', { json }) } }),
  }),
  defineTool({
    nome: 'cadastrar_gravador',
    titulo: 'Cadastrar gravador',
    descricao:
      'Cadastra um gravador e uma câmera por canal escolhido, tudo ou nada; um já cadastrado é atualizado, e ' +
      'canais com câmera são ignorados. Cada câmera ocupa uma vaga. Antes, descobrir_gravador.',
    entrada: z.strictObject({
      ...acesso,
      nome_gravador: textoCurto(200).optional().describe('Exemplo: DVR da loja.'),
      canais: z
        .array(
          z.strictObject({
            canal: shape.num_canais.describe('A partir de 1.'),
            nome: z.string().min(1).max(200).optional().describe('Nome da câmera.'),
            perfil: z.enum(nomesPerfis).optional().describe('Perfil só desta câmera.'),
          }),
        )
        .min(1)
        .max(MAX_CANAIS)
        .describe('Canais a cadastrar, sem repetição.'),
      perfil: z.enum(nomesPerfis).optional().describe('Perfil das que não tiverem outro.'),
    }),
    saida: z.object({
      gravador_id: z.int().describe('O gravador, criado ou atualizado.'),
      cameras_criadas: z.int().describe('Quantas câmeras foram criadas.'),
      cameras_ignoradas: z.int().describe('Quantos canais já tinham câmera.'),
      cameras: z.array(cameraResumoSchema).describe('As câmeras criadas.'),
      vagas_restantes: z.int().describe('Quantas câmeras a Empresa ainda pode cadastrar.'),
    }),
    operacoes: ['cadastrarGravador'],
    // A known gravador gets the sent password and address; an ONVIF device is queried.
    anotacoes: { ...CRIACAO, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    run: async (json, ctx) => {
      const { cameras, ...rest } = await ctx.json<ResultadoCadastro>('cadastrarGravador', { json })
      return { dados: { ...rest, cameras: cameras.map(resumeCamera) } }
    },
  }),
  defineTool({
    nome: 'testar_conexao',
    titulo: 'Testar conexão',
    descricao:
      'Quais portas de um equipamento aceitam conexão e têm RTSP, vistas pela caixa na rede dele. Use quando ' +
      'câmera ou gravador não responde. Os canais: descobrir_gravador.',
    entrada: z.strictObject({
      host: testarConexaoSchema.shape.host.describe('IP ou nome na rede da caixa.'),
      portas: testarConexaoSchema.shape.portas.describe('Até 32: [554, 8000].'),
      usuario: shape.usuario.optional().describe('A experimentar no RTSP.'),
      senha: shape.senha.optional().describe('Experimentada uma vez só.'),
      empresa_id: empresaId.optional().describe('Se faltar, a do login.'),
      edge_id: edgeId.optional().describe('Se a Empresa tem vários.'),
    }),
    saida: z.object({ portas: z.array(portaTestadaSchema).describe('Uma por porta, na ordem pedida.') }),
    operacoes: ['testarConexao'],
    anotacoes: SONDAGEM,
    run: async (json, ctx) => ({ dados: { portas: await ctx.json<PortaTestada[]>('testarConexao', { json }) } }),
  }),
]
