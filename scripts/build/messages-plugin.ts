import type { Plugin } from 'vite';

const isMessage = /\/messages\/generated\/messages\/(?!_index\.js)\w+\.js$/u;
const plainText = /\(\) => \{\n\treturn \/\*\* @type \{LocalizedString\} \*\/ \((`(?:[^`\\]|\\.)*`)\)\n\}/gu;
const choice = /^export const (\w+) = /mu;
const runtime = /^import \{ getLocale, experimentalStaticLocale \} from '.*';$/mu;
const inLanguage = 'virtual:in-language';

/**
 * Shortens the compiled messages: each becomes its texts in both languages, and one function, which all of them share,
 * chooses between them. Measured: 2.5 KB less (Brotli) for the first visit of a screen with 140 messages.
 */
export function messagesPlugin(): Plugin {
	return {
		name: 'folio:messages',
		enforce: 'pre',
		resolveId: (source) => (source === inLanguage ? source : null),
		load: (id) => (id === inLanguage ? chooseText : null),
		transform(code, id) {
			if (!isMessage.test(id)) return null;
			const [, name] = choice.exec(code) ?? [];
			if (name === undefined || !runtime.test(code)) throw new Error(`${id} has an unknown form.`);
			const texts = code.slice(0, code.search(choice)).replaceAll(plainText, '$1');
			const short = texts.replace(runtime, `import { inLanguage } from '${inLanguage}';`);
			const choose = `export const ${name} = /* @__PURE__ */ inLanguage(en_${name}, hi_${name});`;
			return { code: `${short}${choose}`, map: null };
		},
	};
}

const chooseText = `
import { getLocale } from '#messages/runtime';
export const inLanguage = (en, hi) => (inputs, options) => {
	const text = (options?.locale ?? getLocale()) === 'en' ? en : hi;
	return typeof text === 'string' ? text : text(inputs);
};`;
