package mask

import (
	"regexp"
	"sync"
)

// shape is what credentials of one kind look like. A text without the keyword
// holds none, which is quick to see. All that the expression matches is the credential.
// It is compiled for the first text that has the keyword: compiling all took each start
// 3 ms and nearly a megabyte.
type shape struct {
	kind    string
	keyword string
	form    func() *regexp.Regexp
}

func of(kind, keyword, form string) shape {
	return shape{kind, keyword, compiled(form)}
}

// compiled is an expression that is compiled when it is first needed.
func compiled(form string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(form) })
}

// shapes are those of credentials that a prefix or a frame tells from other text.
// Each is what the issuer's own documentation says of its tokens: the prefix, the
// alphabet, and a length at or a little below the shortest in use. Of what is longer than
// sixty characters the beginning is enough: a title may end within.
var shapes = []shape{
	of("private key", "PRIVATE KEY", `-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:(?:\\r|\\n|\s)+(?:[A-Za-z-]+: [^\n\\]*|[A-Za-z0-9+/=]{16,}))+(?:(?:(?:\\r|\\n|\s)+[A-Za-z0-9+/=]+)?(?:\\r|\\n|\s)*-----END [A-Z0-9 ]*-----)?`),
	of("private key", "PRIVATE KEY", `(?:[A-Za-z0-9+/=]{40,}(?:\\r|\\n|\s)+)+(?:[A-Za-z0-9+/=]+(?:\\r|\\n|\s)+)?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----`),
	of("age key", "AGE-SECRET-KEY-1", `\bAGE-SECRET-KEY-1[0-9A-Z]{50,}`),
	of("JWT", "eyJ", `\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`),
	of("AWS key", "AKIA", `\bAKIA[A-Z2-7]{16}\b`),
	of("AWS key", "ASIA", `\bASIA[A-Z2-7]{16}\b`),
	of("AWS key", "ABIA", `\bABIA[A-Z2-7]{16}\b`),
	of("AWS key", "ACCA", `\bACCA[A-Z2-7]{16}\b`),
	of("GitHub token", "gh", `\bgh[pousr]_[A-Za-z0-9]{36,255}\b`),
	of("GitHub token", "github_pat_", `\bgithub_pat_[A-Za-z0-9_]{22,255}\b`),
	of("GitLab token", "gl", `\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|oas|ffct)-[A-Za-z0-9_-]{20,}`),
	of("GitLab token", "GR1348941", `\bGR1348941[A-Za-z0-9_-]{20,}`),
	of("Slack token", "xox", `\bxox[abeoprs]-[A-Za-z0-9-]{10,}`),
	of("Slack token", "xapp-", `\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]+`),
	of("Slack address", "hooks.slack.com", `hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,}`),
	of("Anthropic key", "sk-ant-", `\bsk-ant-[A-Za-z0-9_-]{20,}`),
	of("OpenAI key", "sk-", `\bsk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})`),
	of("OpenRouter key", "sk-or-", `\bsk-or-(?:v\d-)?[A-Za-z0-9]{20,}`),
	of("Stripe key", "k_", `\b[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}`),
	of("webhook secret", "whsec_", `\bwhsec_[A-Za-z0-9+/=]{24,}`),
	of("Google key", "AIza", `\bAIza[A-Za-z0-9_-]{35}`),
	of("Google secret", "GOCSPX-", `\bGOCSPX-[A-Za-z0-9_-]{20,}`),
	of("Google token", "ya29.", `\bya29\.[A-Za-z0-9_-]{20,}`),
	of("npm token", "npm_", `\bnpm_[A-Za-z0-9]{36}\b`),
	of("PyPI token", "pypi-", `\bpypi-[A-Za-z0-9_-]{50,}`),
	of("RubyGems key", "rubygems_", `\brubygems_[a-f0-9]{48}\b`),
	of("Docker token", "dckr_", `\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}`),
	of("Hugging Face token", "hf_", `\bhf_[A-Za-z0-9]{30,}\b`),
	of("Replicate token", "r8_", `\br8_[A-Za-z0-9]{37,}\b`),
	of("Groq key", "gsk_", `\bgsk_[A-Za-z0-9]{40,}\b`),
	of("xAI key", "xai-", `\bxai-[A-Za-z0-9]{40,}`),
	of("Perplexity key", "pplx-", `\bpplx-[A-Za-z0-9]{40,}`),
	of("DigitalOcean token", "_v1_", `\bdo[por]_v1_[a-f0-9]{40,}`),
	of("Doppler token", "dp.", `\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,}`),
	of("Vault token", "hv", `\bhv[sbr]\.[A-Za-z0-9_-]{24,}`),
	of("Terraform token", ".atlasv1.", `\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}`),
	of("Pulumi token", "pul-", `\bpul-[a-f0-9]{40}\b`),
	of("SendGrid key", "SG.", `\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}`),
	of("Mailgun key", "key-", `\bkey-[a-f0-9]{32}\b`),
	of("Mailchimp key", "-us", `\b[a-f0-9]{32}-us\d{1,2}\b`),
	of("Telegram token", ":AA", `\b\d{8,10}:AA[A-Za-z0-9_-]{32,}`),
	of("Discord address", "/api/webhooks/", `/api/webhooks/\d+/[A-Za-z0-9_-]{20,}`),
	of("Shopify token", "shp", `\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b`),
	of("Square token", "sq0", `\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,}`),
	of("Linear key", "lin_", `\blin_(?:api|oauth)_[A-Za-z0-9]{32,}`),
	of("Notion token", "ntn_", `\bntn_[A-Za-z0-9]{40,}`),
	of("Figma token", "figd_", `\bfigd_[A-Za-z0-9_-]{36,}`),
	of("Postman key", "PMAK-", `\bPMAK-[a-f0-9]{24}-[a-f0-9]{20,}`),
	of("Grafana token", "gl", `\bgl(?:sa_[A-Za-z0-9]{32}_[a-f0-9]{8}|c_[A-Za-z0-9+/=]{32,})`),
	of("Sentry token", "sntry", `\bsntry[su]_[A-Za-z0-9+/=_-]{40,}`),
	of("New Relic key", "NRAK-", `\bNRAK-[A-Z0-9]{27}`),
	of("Databricks token", "dapi", `\bdapi[a-f0-9]{32}`),
	of("PlanetScale token", "pscale_", `\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}`),
	of("Supabase token", "sb", `\bsb(?:p_[a-f0-9]{40}|_secret_[A-Za-z0-9_-]{20,})`),
	of("Fly token", "fm2_", `\bfm2_[A-Za-z0-9+/=_-]{40,}`),
	of("Netlify token", "nfp_", `\bnfp_[A-Za-z0-9]{36,}`),
	of("Atlassian token", "ATATT3", `\bATATT3[A-Za-z0-9_=-]{50,}`),
	of("Airtable token", "pat", `\bpat[A-Za-z0-9]{14}\.[a-f0-9]{40,}`),
	of("1Password token", "ops_eyJ", `\bops_eyJ[A-Za-z0-9_=-]{50,}`),
	of("private key", "LS0tLS1CRUdJTiB", `\bLS0tLS1CRUdJTiB(?:QUklWQVRF|SU0EgUFJ|EU0EgUFJ|FQyBQUkl|PUEVOU1NI|FTkNSWVBU)[A-Za-z0-9+/]*={0,2}`), // in base64
	of("Slack cookie", "xoxd-", `\bxoxd-[A-Za-z0-9%/+-]{20,}`),
	of("Google token", "1//0", `\b1//0[A-Za-z0-9_-]{30,}`),
	of("Azure secret", "Q~", `\b[A-Za-z0-9_.-]{3}\dQ~[A-Za-z0-9_~.-]{31,}`),
	of("AWS key", "ABSK", `\bABSK[A-Za-z0-9+/]{40,}={0,2}`),
	of("Twilio key", "SK", `\bSK[a-f0-9]{32}\b`),
	of("Mapbox token", "sk.eyJ", `\bsk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}`),
	of("NVIDIA key", "nvapi-", `\bnvapi-[A-Za-z0-9_-]{40,}`),
	of("LangSmith key", "lsv2_", `\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`),
	of("Tavily key", "tvly-", `\btvly-[A-Za-z0-9-]{28,}`),
	of("Firecrawl key", "fc-", `\bfc-[a-f0-9]{32}\b`),
	of("Together key", "tgp_v1_", `\btgp_v1_[A-Za-z0-9_-]{40,}`),
	of("Tailscale key", "tskey-", `\btskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]+`),
	of("1Password key", "A3-", `\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b`),
	of("Adobe secret", "p8e-", `\bp8e-[A-Za-z0-9_-]{32}`),
	of("Alibaba key", "LTAI", `\bLTAI[A-Za-z0-9]{16,24}\b`),
	of("Clojars token", "CLOJARS_", `\bCLOJARS_[a-z0-9]{40,}`),
	of("Cloudflare key", "v1.0-", `\bv1\.0-[a-f0-9]{24}-[a-f0-9]{20,}`),
	of("Defined Networking key", "dnkey-", `\bdnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{20,}`),
	of("Duffel token", "duffel_", `\bduffel_(?:test|live)_[A-Za-z0-9_=-]{40,}`),
	of("Dynatrace token", "dt0", `\bdt0[a-z]\d{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{20,}`),
	of("EasyPost key", "EZ", `\bEZ[AT]K[A-Za-z0-9]{40,}`),
	of("access token", "EAA", `\bEAA[A-Za-z0-9_-]{50,}`), // of Meta and of Square
	of("Flutterwave key", "FLWSECK", `\bFLWSECK(?:_TEST)?-?[A-Za-z0-9]{12,}(?:-X)?`),
	of("Frame.io token", "fio-u-", `\bfio-u-[A-Za-z0-9_=-]{40,}`),
	of("Harness key", "pat.", `\bpat\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]*`),
	of("Harness key", "sat.", `\bsat\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]*`),
	of("Hugging Face token", "api_org_", `\bapi_org_[A-Za-z0-9]{30,}\b`),
	of("Intra 42 secret", "s-s4t2", `\bs-s4t2(?:ud|af)-[a-f0-9]{40,}`),
	of("Teams address", "webhook.office.com", `\bwebhook\.office\.com/webhookb2/[A-Za-z0-9-]{20,}[A-Za-z0-9@/-]*`),
	of("New Relic key", "NRII-", `\bNRII-[A-Za-z0-9_-]{32}`),
	of("Octopus key", "API-", `\bAPI-[A-Z0-9]{26}\b`),
	of("Plaid token", "access-", `\baccess-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`),
	of("ReadMe key", "rdme_", `\brdme_[a-z0-9]{40,}`),
	of("Brevo key", "xkeysib-", `\bxkeysib-[a-f0-9]{40,}(?:-[A-Za-z0-9]+)?`),
	of("SettleMint token", "sm_", `\bsm_[aps]at_[A-Za-z0-9]{16}\b`),
	of("Shippo token", "shippo_", `\bshippo_(?:live|test)_[a-fA-F0-9]{40}\b`),
	of("Sonar token", "sq", `\bsq[apu]_[a-f0-9]{40}\b`),
	of("Sourcegraph token", "sgp_", `\bsgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{30,}`),
	of("Typeform token", "tfp_", `\btfp_[A-Za-z0-9_.=-]{40,}`),
	of("Yandex key", "AQVN", `\bAQVN[A-Za-z0-9_-]{35,}`),
	of("Yandex token", "t1.", `\bt1\.[A-Za-z0-9_-]{20,}={0,2}\.[A-Za-z0-9_-]{10,}={0,2}`),
	of("GitLab cookie", "_gitlab_session=", `\b_gitlab_session=[0-9a-z]{32}\b`),
	of("Resend key", "re_", `\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b`),
	of("Langfuse key", "sk-lf-", `\bsk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`),
	of("E2B key", "e2b_", `\be2b_[a-f0-9]{40}\b`),
}
