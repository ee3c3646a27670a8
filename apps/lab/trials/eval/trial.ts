import { defineTrial, flag, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'
import { perfis } from './longo/scenes.ts'

export default defineTrial({
  name: 'eval',
  purpose: 'quality',
  summary:
    'Runs labelled footage and pictures through the code of an installation and counts hits and false events of ' +
    'every IA; one flag chooses another measurement. Passes if the limits of the product hold.',
  takes: '2 min',
  measures: ['packages/ias/src', 'packages/vision/src', 'packages/analysis/src', 'packages/models', 'apps/lab/labels'],
  options: z.object({
    /** Folder with footage and pictures; default: VIGIA_DADOS_TESTE, else ../shared/data. */
    data: z.string().optional(),
    only: z.enum(['videos', 'imagens']).optional(),
    /** Also labelled clips under stress transformations. */
    stress: flag(),
    /** Also folders `…-train`. */
    'include-training': flag(),
    /** Folder with manifests of an installer's models; default: the built-in models. */
    models: z.string().optional(),
    /** Parallel processes, at most one per core. */
    processes: wholeNumber(1, 99).default(2),
    /** Page for the tables, between its markers (page.ts); `-`: prints them as Markdown instead. */
    markdown: z.string().optional(),

    // Other measurements, one at a time, and their flags.
    verificador: flag(),
    ajustar: flag(),
    /** File of the models' results (score-store.ts). */
    pontuacoes: z.string().optional(),
    longo: flag(),
    perfil: z.enum(perfis).optional(),
    /** Folder of finished segments; default: one below the temporary folder. */
    estado: z.string().optional(),
    noites: flag(),
    horas: wholeNumber(1, 9_999).default(24),
    rastreio: flag(),
    clima: flag(),
    /** The first 40 s of `vtest.avi` in H.264; default: VIGIA_VTEST. */
    vtest: z.string().optional(),
    composto: flag(),
    /** Further clips. */
    clipe: z.array(z.string()).default([]),
    /** Composed scenes. */
    cenas: wholeNumber(1, 9_999).default(64),
    epi: flag(),
    veiculos: flag(),
    'modo-b': flag(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
