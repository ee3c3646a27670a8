import type { z } from 'zod'

/**
 * Rejects a call without any field to change: the agent would report its success as a change.
 * @param names fields that identify the record; every other field is a change
 */
export const somethingToChange = <E extends z.ZodObject>(entrada: E, ...names: (keyof z.input<E> & string)[]): E =>
  entrada.refine((values) => Object.keys(values).some((field) => !names.includes(field)), {
    error: `Nada a mudar: mande, além de ${names.join(' e ')}, ao menos um dos campos ${Object.keys(entrada.shape)
      .filter((field) => !names.includes(field))
      .join(', ')}.`,
  })
