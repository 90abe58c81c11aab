import { expect, test } from 'vitest';
import { sanitizeMailName } from './outbox.service.ts';

test.each([
	['Asha Rao', 'Asha Rao'],
	['K.R.Narayanan', 'K.R. Narayanan'],
	['A.P.J. Abdul Kalam', 'A.P.J. Abdul Kalam'],
	['श्री. राम-प्रसाद', 'श्री. राम-प्रसाद'],
	['क्ष\u200dरा', 'क्ष\u200dरा'],
	['See https://evil.example now', 'See now'],
	['You won at evil.example/win', 'You won at evil. example/win'],
	['evil。example ｅvil．example', 'evil。 example ｅvil． example'],
	['Asha\r\n\r\nPay to: evil@bank\tnow', 'Asha Pay to: evil@bank now'],
	['\u202eoaR ahsA', 'oaR ahsA'],
	['evil.\u202eexample', 'evil. example'],
	['  ', ''],
	['x'.repeat(100), 'x'.repeat(80)],
])('sanitizeMailName turns %j into %j', (name, sanitized) => {
	expect(sanitizeMailName(name)).toBe(sanitized);
});
