/**
 * Without this variable onnxruntime reports its use to its maker and stores a device id below the home directory. It
 * must be set before the library is loaded, therefore it has its own module, which is evaluated first.
 */
process.env.ORT_DISABLE_TELEMETRY = '1'
