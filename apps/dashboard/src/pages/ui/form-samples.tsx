import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandText, CopiedSecret, OnceNote } from '../../ui/copied-secret.tsx'
import { Dialog, DialogButtons, DialogText } from '../../ui/dialog.tsx'
import { Choices, FieldRow, Fields } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { InfoDialog } from '../../ui/info-dialog.tsx'
import { CentredRow, Row } from '../../ui/layout.tsx'
import { useApiForm } from '../../ui/use-api-form.ts'
import { Required, Warning } from '../../ui/warning.tsx'
import { samples } from './samples.ts'

/** Fields, check boxes, warnings and a secret that is shown once. */
export function Forms() {
  const { t } = useTranslation()
  return (
    <section>
      <Warning>{samples.reason}</Warning>
      <Required>{samples.reason}</Required>
      <Fields>
        <TextInput label={samples.camera} description={samples.reason} defaultValue={samples.address} />
        <FieldRow>
          <TextInput label={samples.camera} />
          <Button>{t('comum.salvar')}</Button>
        </FieldRow>
        <Choices>
          {samples.cameras.map((name) => (
            <Checkbox key={name} label={name} />
          ))}
        </Choices>
      </Fields>
      <CopiedSecret
        label={samples.camera}
        copy={t('comum.salvar')}
        copied={t('comum.salvar')}
        selected={t('comum.salvar')}
      >
        {samples.secret}
      </CopiedSecret>
      <OnceNote>{samples.reason}</OnceNote>
      <CommandText>{samples.command}</CommandText>
      <CentredRow>
        <Button variant="default">{t('comum.cancelar')}</Button>
        <span>{samples.time}</span>
      </CentredRow>
      <DialogButtons>
        <Button>{t('comum.salvar')}</Button>
      </DialogButtons>
    </section>
  )
}

const kinds = ['form', 'danger', 'info'] as const

/** Buttons that open a form dialog, a dangerous one and a read-only one. */
export function Dialogs() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<(typeof kinds)[number] | null>(null)
  const form = useApiForm({ initial: { nome: samples.camera }, check: () => ({}), sentence: (text: string) => text })
  const shared = { title: samples.camera, submit: t('comum.salvar'), busy: false, onClose: () => setOpen(null) }
  return (
    <Row gap={6}>
      {kinds.map((kind) => (
        <Button key={kind} variant="default" onClick={() => setOpen(kind)}>
          {kind}
        </Button>
      ))}
      {open === 'form' && (
        <FormDialog {...shared} form={form} onSubmit={() => setOpen(null)}>
          <TextInput label={samples.camera} {...form.field('nome')} />
        </FormDialog>
      )}
      {open === 'danger' && (
        <Dialog {...shared} danger failure={samples.reason} onSubmit={() => setOpen(null)}>
          <DialogText>
            <p>{samples.reason}</p>
          </DialogText>
        </Dialog>
      )}
      {open === 'info' && (
        <InfoDialog title={samples.camera} onClose={() => setOpen(null)}>
          <p>{samples.reason}</p>
        </InfoDialog>
      )}
    </Row>
  )
}
