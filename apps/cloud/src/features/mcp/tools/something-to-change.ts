import type { z } from 'zod'

/**
 * Refuses a call that says what to change nothing of: told as a success, it would be passed on to the person as a change.
 * @param names fields that name the thing; any other is a change
 */
export const somethingToChange = <E extends z.ZodObject>(entrada: E, ...names: (keyof z.input<E> & string)[]): E =>
  entrada.refine((values) => Object.keys(values).some((field) => !names.includes(field)), {
    error: `Nada a mudar: mande, além de ${names.join(' e ')}, ao menos um dos campos ${Object.keys(entrada.shape)
      .filter((field) => !names.includes(field))
      .join(', ')}.`,
  })
