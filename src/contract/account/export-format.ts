/**
 * Version of the export's files, in its export.json. It rises when a reader of the version before would read a file wrongly; new
 * files and columns leave it as it is. Exports before it have none.
 */
export const EXPORT_FORMAT = 1;
