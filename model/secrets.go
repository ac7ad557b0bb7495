package model

import tea "charm.land/bubbletea/v2"

// secretsAct is the name of the act.
const secretsAct = "secrets"

// Secrets tells whether credentials are shown as they are.
func (m *Model) Secrets() bool { return m.secrets }

// toggleSecrets shows credentials when its key is pressed twice, so that a finger
// that slips shows none; it masks them again at once.
func (m *Model) toggleSecrets() tea.Cmd {
	if !m.secrets && m.begun != secretsAct {
		m.Notice = "credentials would stand on the screen as they are: F8 once more shows them"
		m.begun = secretsAct
		return nil
	}
	m.begun = ""
	m.secrets = !m.secrets
	m.engine.ShowSecrets(m.secrets)
	m.Notice = "credentials are shown as they are, and so copied and saved"
	if !m.secrets {
		m.Notice = "credentials are masked"
		// What was marked while they were shown holds them still.
		if len(m.choice.keys) > 0 {
			m.choice = choice{version: m.choice.version + 1}
			m.Notice += ", and nothing is marked any more"
		}
	}
	m.Pane.forget()
	return tea.Batch(m.search(false), m.relayout())
}
