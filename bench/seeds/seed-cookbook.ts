import { createClient } from '../../test/support/services/server-client.ts';
import { publishCookbook } from '../../test/support/storefront/cookbook.ts';

/** `node bench/seeds/seed-cookbook.ts URL EMAIL PASSWORD`: publishes the storefront of a cookbook in a running server. */
const [url = '', email = '', password = ''] = process.argv.slice(2);
const owner = createClient(url);
const status = await owner.signIn(email, password);
if (status !== 200) throw new Error(`The sign-in failed with status ${status}.`);
await publishCookbook(owner);
