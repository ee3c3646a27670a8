import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { empresaRemovidaSchema } from '@vigia/contracts/empresas'
import type { LimitesEmpresa } from '@vigia/contracts/limites'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'

interface RemoveEmpresaProps {
  readonly empresa: LimitesEmpresa
  readonly onClose: () => void
}

/** Removes an Empresa after the password, and the code where the login has a second factor. */
export function RemoveEmpresa({ empresa: { empresa_id, nome }, onClose }: RemoveEmpresaProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const announce = useAnnounce()
  const withCode = me.segundo_fator.ligado
  const form = useApiForm({
    initial: { senha: '', codigo: '' },
    check: ({ senha, codigo }): Partial<Record<'senha' | 'codigo', 'faltaSenha' | 'faltaCodigo'>> => ({
      ...(senha === '' && { senha: 'faltaSenha' }),
      ...(withCode && codigo.trim() === '' && { codigo: 'faltaCodigo' }),
    }),
    sentence: (problem) => t(`empresas.remocao.${problem}`),
  })
  const removal = useMutation({
    mutationFn: ({ senha, codigo }: Record<'senha' | 'codigo', string>) =>
      api.send('DELETE', `/empresas/${empresa_id}`, { senha, ...(withCode && { codigo }) }, empresaRemovidaSchema),
    onSuccess() {
      void queries.invalidateQueries()
      announce(t('empresas.remocao.anuncio', { nome }))
      onClose()
    },
    onError: form.refuse,
    gcTime: 0,
  })
  return (
    <FormDialog
      danger
      title={t('empresas.remocao.titulo', { nome })}
      submit={t('empresas.remocao.confirmar')}
      busy={removal.isPending}
      form={form}
      onClose={onClose}
      onSubmit={removal.mutate}
    >
      <p>{t('empresas.remocao.texto')}</p>
      <TextInput
        label={t('empresas.remocao.senha')}
        type="password"
        autoComplete="current-password"
        maxLength={1024}
        {...form.field('senha')}
      />
      {withCode && (
        <TextInput
          label={t('empresas.remocao.codigo')}
          autoComplete="one-time-code"
          maxLength={64}
          {...form.field('codigo')}
        />
      )}
    </FormDialog>
  )
}
