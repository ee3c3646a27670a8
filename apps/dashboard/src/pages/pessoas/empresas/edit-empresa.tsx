import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type Empresa, empresaSchema } from '@vigia/contracts/empresas'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import {
  checkEmpresa,
  empresaChangeOf,
  empresaCreationOf,
  empresaFormOf,
  type FormularioEmpresa,
  fusosOffered,
  nameOfFuso,
} from './empresa-form.ts'

interface EditEmpresaProps {
  /** null: a new one, below that of the login. */
  readonly empresa: Empresa | null
  readonly onClose: () => void
}

/**
 * Name, time zone, host and networks of an Empresa. Only the operator changes the host, because it controls the DNS
 * names, and the networks, because they are those of the installation.
 */
export function EditEmpresa({ empresa, onClose }: EditEmpresaProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const announce = useAnnounce()
  const form = useApiForm({
    initial: empresaFormOf(empresa),
    check: checkEmpresa,
    sentence: (problem) => t(`empresas.dados.${problem}`),
  })
  const saving = useMutation({
    async mutationFn(values: FormularioEmpresa) {
      if (empresa === null) return await api.send('POST', '/empresas', empresaCreationOf(values), empresaSchema)
      const changes = empresaChangeOf(empresa, values)
      return changes === null ? empresa : await api.send('PATCH', `/empresas/${empresa.id}`, changes, empresaSchema)
    },
    onSuccess({ nome }) {
      void queries.invalidateQueries({ queryKey: ['limites'] })
      void queries.invalidateQueries({ queryKey: ['empresas'] })
      announce(t(empresa === null ? 'empresas.dados.criada' : 'empresas.dados.salva', { nome }))
      onClose()
    },
    onError: form.refuse,
  })
  const title = empresa === null ? t('empresas.dados.nova') : t('empresas.dados.titulo', { nome: empresa.nome })
  return (
    <FormDialog
      title={title}
      submit={t(empresa === null ? 'empresas.dados.criar' : 'comum.salvar')}
      busy={saving.isPending}
      form={form}
      onClose={onClose}
      onSubmit={saving.mutate}
    >
      {empresa === null && me.empresa_nome !== null && <p>{t('empresas.dados.abaixo', { nome: me.empresa_nome })}</p>}
      <TextInput
        label={t('empresas.dados.nome')}
        maxLength={200}
        autoComplete="organization"
        data-autofocus
        {...form.field('nome')}
      />
      <NativeSelect
        label={t('empresas.dados.fuso')}
        description={t('empresas.dados.fusoAjuda')}
        data={fusosOffered(form.values.fuso_horario).map((value) => ({ value, label: nameOfFuso(value) }))}
        {...form.field('fuso_horario')}
      />
      {empresa !== null && me.empresa_id === null && (
        <>
          <TextInput
            label={t('empresas.dados.host')}
            description={t('empresas.dados.hostAjuda')}
            placeholder={t('empresas.dados.hostExemplo')}
            maxLength={253}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.field('host')}
          />
          <Textarea
            label={t('empresas.dados.redes')}
            description={t('empresas.dados.redesAjuda')}
            placeholder="192.168.0.0/24"
            autosize
            minRows={2}
            maxRows={8}
            autoComplete="off"
            spellCheck={false}
            {...form.field('redes_permitidas')}
          />
        </>
      )}
    </FormDialog>
  )
}
