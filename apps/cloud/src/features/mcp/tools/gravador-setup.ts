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
  fabricante: shape.fabricante.describe(
    'Fabricante, que dá a forma das URLs. `onvif`: o aparelho diz; `generico`: url_template.',
  ),
  host: shape.host.describe('IP ou nome do gravador na rede do edge, sem rtsp:// nem porta. Exemplo: 192.168.0.10.'),
  porta: shape.porta.describe('Porta RTSP (a usual é 554); com `onvif`, a do serviço ONVIF (80, 8000, 8899 ou 2020).'),
  usuario: shape.usuario.describe('Usuário do gravador; pode ser vazio.'),
  senha: shape.senha.describe('Senha do gravador, que a pessoa informou; nenhuma ferramenta a mostra depois.'),
  num_canais: shape.num_canais.describe(`Quantos canais o gravador tem, de 1 a ${MAX_CANAIS}. Exemplo: 16.`),
  empresa_id: empresaId,
  edge_id: edgeId.optional().describe('O edge que está na rede do gravador, se a Empresa tem vários (listar_edges).'),
  url_template: shape.url_template
    .unwrap()
    .unwrap()
    .optional()
    .describe('Só com fabricante `generico`: forma da URL. Exemplo: {base}/canal{channel}.'),
  sub_url_template: shape.sub_url_template
    .unwrap()
    .unwrap()
    .optional()
    .describe('Só com fabricante `generico`: forma da URL do vídeo de baixa resolução.'),
}

export const gravadorSetupTools = [
  defineTool({
    nome: 'descobrir_gravador',
    titulo: 'Descobrir canais de um gravador',
    descricao:
      'Pergunta a um gravador, pelo edge na rede dele, quais canais têm vídeo: `nova` (tem vídeo e não tem ' +
      'câmera), `já cadastrada` ' +
      'ou `vazia`. Não guarda nada nem abre vídeo. Demora até dois minutos, diz o andamento e pode ser ' +
      'cancelada. Senha errada repetida ' +
      'pode bloquear o gravador: não tente senhas. Depois, cadastrar_gravador com os canais que a pessoa escolher.',
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
      'Cadastra um gravador e uma câmera para cada canal escolhido, tudo ou nada. Um gravador já cadastrado ' +
      '(mesma Empresa, host e ' +
      'porta) é atualizado com o que foi enviado, e canais que já têm câmera são ignorados. Cada câmera ocupa ' +
      'uma vaga da Empresa. ' +
      'Antes, descobrir_gravador mostra quais canais valem a pena. Uma câmera só, em gravador já cadastrado: ' +
      'criar_camera.',
    entrada: z.strictObject({
      ...acesso,
      nome_gravador: textoCurto(200)
        .optional()
        .describe('Nome que as pessoas vão ler, até 200 caracteres. Exemplo: DVR da loja.'),
      canais: z
        .array(
          z.strictObject({
            canal: shape.num_canais.describe('Número do canal, a partir de 1.'),
            nome: z.string().min(1).max(200).optional().describe('Nome da câmera. Se faltar, o do gravador e o canal.'),
            perfil: z.enum(nomesPerfis).optional().describe('Perfil só desta câmera.'),
          }),
        )
        .min(1)
        .max(MAX_CANAIS)
        .describe('Canais a cadastrar, sem repetição. Exemplo: [{"canal": 1}, {"canal": 2, "nome": "Caixas"}].'),
      perfil: z
        .enum(nomesPerfis)
        .optional()
        .describe('Perfil das câmeras que não tiverem outro (listar_modelos_calibracao).'),
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
      'Diz, de até 32 portas de um equipamento, quais aceitam conexão e em quais há RTSP, vistas pelo edge na ' +
      'rede dele. Use quando ' +
      'uma câmera ou gravador não responde, ou para achar a porta certa. Para os canais, descobrir_gravador.',
    entrada: z.strictObject({
      host: testarConexaoSchema.shape.host.describe(
        'IP ou nome do equipamento na rede do edge. Exemplo: 192.168.0.10.',
      ),
      portas: testarConexaoSchema.shape.portas.describe(
        'Portas, de 1 a 32 delas, sem repetição. Exemplo: [554, 8000].',
      ),
      usuario: shape.usuario.optional().describe('Usuário a experimentar no RTSP, se houver.'),
      senha: shape.senha.optional().describe('Senha a experimentar no RTSP, uma vez só.'),
      empresa_id: empresaId.optional().describe('De quem é o edge que testa. Se faltar, a Empresa do login.'),
      edge_id: edgeId.optional().describe('O edge que está na rede do equipamento, se há vários (listar_edges).'),
    }),
    saida: z.object({ portas: z.array(portaTestadaSchema).describe('Uma por porta, na ordem pedida.') }),
    operacoes: ['testarConexao'],
    anotacoes: SONDAGEM,
    run: async (json, ctx) => ({ dados: { portas: await ctx.json<PortaTestada[]>('testarConexao', { json }) } }),
  }),
]
