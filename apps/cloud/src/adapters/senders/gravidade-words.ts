export const palavrasGravidade = { baixa: 'Baixa', media: 'Média', alta: 'Alta', critica: 'Crítica' } as const
