import packageJson from '../../../package.json' with { type: 'json' };

/** This program's version, as its releases are named. */
export const version: string = packageJson.version;
