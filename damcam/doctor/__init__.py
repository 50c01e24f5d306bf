"""The doctor: looks at camera, computer, ports, clock, lights and page, and says what to do."""
